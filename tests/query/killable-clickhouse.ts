import { setTimeout as delay } from 'node:timers/promises';
import { unusedPorts } from '@cellarman/local-stack';
import type { EngineUrls } from '@cellarman/local-stack';
import { removeClickHouse, startClickHouse } from '../../libs/local-stack/tests/clickhouse-server-process.ts';

export type ClickHouseAccess = Pick<EngineUrls, 'clickhouseUrl' | 'clickhouseUser' | 'clickhousePassword'>;

/** A ClickHouse that nobody else uses, so that it may die. */
export interface KillableClickHouse {
  access: ClickHouseAccess;
  /** Kills it with SIGKILL after that time, and resolves when its successor with the same data and URL is ready. */
  kill(afterMs: number): Promise<void>;
  remove(): Promise<void>;
}

export async function startKillableClickHouse(): Promise<KillableClickHouse> {
  const [port = 0] = await unusedPorts(1);
  let server = await startClickHouse({ port });
  return {
    access: {
      clickhouseUrl: server.url,
      clickhouseUser: server.username,
      clickhousePassword: server.password,
    },
    async kill(afterMs) {
      await delay(afterMs);
      const end = await server.end('SIGKILL');
      if (end !== 'SIGKILL') throw new Error(`ClickHouse had ended by itself: ${String(end)}`);
      server = await startClickHouse({ port, dataDirectory: server.dataDirectory });
    },
    remove: () => removeClickHouse(server),
  };
}
