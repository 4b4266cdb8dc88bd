import { prepareEngines } from './engine-set.ts';
import type { EngineSet } from './engine-set.ts';
import type { EngineUrls } from './engine.ts';
import { freePorts } from '../ports.ts';
import type { EnginePorts } from '../ports.ts';
import { supervisedDirectory } from '../supervise/supervised-directory.ts';
import { createStep } from '../progress/stack-event.ts';
import type { OnStackEvent } from '../progress/stack-event.ts';

export interface StartEnginesOptions {
  /** Holds the data and logs; a directory of a former start goes on with its data. */
  dataDir: string;
  /** @default 'free' */
  ports?: EnginePorts | 'free';
  /** @default all */
  only?: readonly (keyof EngineSet)[];
  onEvent?: OnStackEvent;
}

export interface StartedEngines {
  urls: EngineUrls;
  /** The process ids now; a process that dies is replaced. */
  processes(): Record<string, number[]>;
  kill(name: string, signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Starts Kafka, Redis, PostgreSQL and ClickHouse, or some of them, and waits until they are ready. */
export async function startEngines(options: StartEnginesOptions): Promise<StartedEngines> {
  const { dataDir, onEvent = () => undefined } = options;
  const ports =
    options.ports === undefined || options.ports === 'free'
      ? (await freePorts({ ingestReplicas: 0 })).engines
      : options.ports;
  const { engines, urls } = await prepareEngines({ dataDir, ports, step: createStep(onEvent) });
  const supervisor = await supervisedDirectory(dataDir, { onEvent });
  try {
    const { only = Object.keys(engines) as (keyof EngineSet)[] } = options;
    await supervisor.supervise(only.flatMap((name) => engines[name]));
    return {
      urls,
      processes: () => supervisor.processes(),
      kill: (name, signal) => supervisor.kill(name, 0, signal),
      stop: () => supervisor.stop(),
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
