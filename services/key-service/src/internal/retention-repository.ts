import type { RetentionResponse } from '@cellarman/contracts';
import { EPOCH } from '../changes/epoch.ts';
import type { Queryable } from '../postgres/database.ts';

interface Row {
  epoch: string;
  number: string;
  name: string | null;
  retention_days: number | null;
}

/** How long the readings of each cellar are kept. Archived cellars stay in it: their readings are still there. */
export function createRetentionRepository(options: { database: Queryable; defaultDays: number }) {
  const { database, defaultDays } = options;
  return {
    async all(): Promise<RetentionResponse> {
      const rows = await database.query<Row>(
        `SELECT ${EPOCH} AS epoch, counter.value AS number, cellars.name, cellars.retention_days
         FROM counter LEFT JOIN cellars ON true
         ORDER BY cellars.name`,
      );
      const [first] = rows;
      if (first === undefined) throw new Error('the table counter is empty');
      return {
        epoch: first.epoch,
        number: Number(first.number),
        defaultDays,
        cellars: rows.flatMap(({ name, retention_days: days }) =>
          name === null || days === null ? [] : [{ cellar: name, days }],
        ),
      };
    },
  };
}

export type RetentionRepository = ReturnType<typeof createRetentionRepository>;
