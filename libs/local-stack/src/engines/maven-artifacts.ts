import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLines } from '../last-lines.ts';
import { runCommand } from '../run-command.ts';
import type { Step } from '../progress/stack-event.ts';
import { StartError } from '../start-error.ts';

const POM = fileURLToPath(new URL('pom.xml', import.meta.url));

/** What Maven brought, as files. */
export interface MavenArtifacts {
  /** A class path with all of Kafka. */
  kafkaClassPath: string;
  /** `redis-server-<version>-<platform>` for every platform that there is one for. */
  redisDir: string;
}

/**
 * Kafka's jars and a Redis, fetched once for each content of the pom.xml; afterwards neither Maven nor the
 * network is needed.
 *
 * @throws {StartError} when Maven is missing or fails
 */
export async function mavenArtifacts(cacheDir: string, step: Step): Promise<MavenArtifacts> {
  const hash = createHash('sha256')
    .update(await readFile(POM))
    .digest('hex')
    .slice(0, 12);
  const home = join(cacheDir, `maven-${hash}`);
  if (!existsSync(home)) await step('fetch by Maven', () => fetchInto(home));
  return { kafkaClassPath: join(home, 'kafka', '*'), redisDir: join(home, 'redis') };
}

async function fetchInto(home: string): Promise<void> {
  // Into a temporary directory first: an interrupted or concurrent fetch must never look complete.
  const partial = `${home}.${randomUUID()}`;
  await mkdir(partial, { recursive: true });
  try {
    const goal = ['--quiet', '--batch-mode', '--file', POM, 'generate-resources', `-Dtarget=${partial}`];
    const { exitCode, problem, output } = await runCommand('mvn', goal);
    if (problem === 'ENOENT') {
      throw new StartError(
        'Maven (mvn) is missing. Install it (apt-get install maven, brew install maven): it fetches Kafka, once.',
      );
    }
    if (exitCode !== 0) {
      throw new StartError(
        `Maven could not fetch Kafka (is Maven Central reachable?):\n${lastLines(output)}`,
      );
    }
    await rename(partial, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
