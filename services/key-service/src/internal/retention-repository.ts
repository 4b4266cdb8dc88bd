import type { RetentionResponse } from '@cellarman/contracts';
import { EPOCH } from '../changes/epoch.ts';
import type { Position } from '../changes/epoch.ts';
import type { Queryable } from '../postgres/database.ts';

interface Row {
  epoch: string;
  number: string;
  is_same: boolean;
  name: string | null;
  retention_days: number | null;
}

/** How long the readings of each cellar are kept. Archived cellars stay in it: their readings are still there. */
export function createRetentionRepository(options: { database: Queryable; defaultDays: number }) {
  const { database, defaultDays } = options;
  return {
    /** @param known what the caller has. The cellars are left out if none of them has changed since. */
    async after(known: Partial<Position>): Promise<RetentionResponse> {
      // One statement is one snapshot. Most changes are of keys, and each sink sends this request every second.
      const rows = await database.query<Row>(
        `WITH present AS MATERIALIZED (
           SELECT ${EPOCH} AS epoch, value AS number,
                  coalesce($1 = ${EPOCH} AND $2::bigint <= value
                    AND $2::bigint >= coalesce((SELECT min(number) FROM changes), value + 1) - 1
                    AND NOT EXISTS (SELECT FROM changes WHERE number > $2::bigint AND kind = 'cellar'), false) AS is_same
           FROM counter
         )
         SELECT present.epoch, present.number, present.is_same, cellars.name, cellars.retention_days
         FROM present LEFT JOIN cellars ON NOT present.is_same
         ORDER BY cellars.name`,
        [known.epoch, known.number],
      );
      const [first] = rows;
      if (first === undefined) throw new Error('the table counter is empty');
      const response = { epoch: first.epoch, number: Number(first.number), defaultDays };
      if (first.is_same) return response;
      const cellars = rows.flatMap(({ name, retention_days: days }) =>
        name === null || days === null ? [] : [{ cellar: name, days }],
      );
      return { ...response, cellars };
    },
  };
}

export type RetentionRepository = ReturnType<typeof createRetentionRepository>;
