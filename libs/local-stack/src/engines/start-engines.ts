import { engineUrls, prepareEngines } from './engine-set.ts';
import type { EngineUrls } from './engine.ts';
import { freePorts } from '../ports.ts';
import type { EnginePorts } from '../ports.ts';
import { supervisedDirectory } from '../supervise/supervised-directory.ts';
import type { SupervisorEvent } from '../supervise/supervisor.ts';

export interface StartEnginesOptions {
  /** Holds the data and logs; a directory of a former start goes on with its data. */
  dataDir: string;
  /** @default 'free' */
  ports?: EnginePorts | 'free';
  onEvent?: (event: SupervisorEvent) => void;
}

export interface StartedEngines {
  urls: EngineUrls;
  /** The process ids now; a process that dies is replaced. */
  processes(): Record<string, number[]>;
  kill(name: string, signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Starts Kafka, Redis, PostgreSQL and ClickHouse and waits until all answer. */
export async function startEngines(options: StartEnginesOptions): Promise<StartedEngines> {
  const { dataDir, ports = 'free', onEvent } = options;
  const supervisor = await supervisedDirectory(dataDir, { onEvent: (event) => onEvent?.(event) });
  try {
    const engines = await prepareEngines(dataDir, ports === 'free' ? (await freePorts(0)).engines : ports);
    await supervisor.supervise(Object.values(engines));
    return {
      urls: engineUrls(engines),
      processes: () => supervisor.processes(),
      kill: (name, signal) => supervisor.kill(name, 0, signal),
      stop: () => supervisor.stop(),
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
