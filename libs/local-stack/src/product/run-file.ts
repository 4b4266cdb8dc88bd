import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateJson } from './private-json.ts';

/** What runs and how to reach it, for tools and tests: the content of `run.json`. */
export interface RunFile {
  /** The first of `ingestUrls`. */
  ingestUrl: string;
  ingestUrls: string[];
  keyServiceUrl: string;
  /** Where key-service has its internal routes and metrics. */
  keyServiceInternalUrl: string;
  dashboardUrl: string;
  queryUrl: string;
  /** Where query has its metrics. */
  queryOperationsUrl: string;
  sinkUrl: string;
  clickhouseUrl: string;
  clickhouseUser: string;
  clickhousePassword: string;
  clickhouseDatabase: string;
  kafkaBrokers: string[];
  redisUrl: string;
  databaseUrl: string;
  admin: { email: string; password: string };
  demo: { cellar: string; apiKey: string };
  /** Process ids by name. */
  processes: Record<string, number[]>;
}

export interface RunFileWriter {
  /** Writes what is known, with the processes of now; nothing before `publish`. */
  refresh(): Promise<void>;
  publish(content: Omit<RunFile, 'processes'>): Promise<void>;
  current(): RunFile;
  remove(): Promise<void>;
}

/** Keeps `run.json` in step with the processes. It is there only while everything runs. */
export function createRunFile(dataDir: string, processes: () => Record<string, number[]>): RunFileWriter {
  const file = join(dataDir, 'run.json');
  let published: Omit<RunFile, 'processes'> | undefined;
  let lastWrite = Promise.resolve();

  const current = (): RunFile => {
    if (published === undefined) throw new Error('The product has not started yet');
    return { ...published, processes: processes() };
  };
  const refresh = async (): Promise<void> => {
    if (published === undefined) return;
    // Serialized, because two parts may be replaced concurrently. A failed write, as on a full disk, does not block the next.
    lastWrite = lastWrite.catch(() => undefined).then(() => writePrivateJson(file, current()));
    await lastWrite;
  };
  return {
    current,
    refresh,
    publish: (content) => {
      published = content;
      return refresh();
    },
    remove: async () => {
      published = undefined;
      await rm(file, { force: true });
    },
  };
}
