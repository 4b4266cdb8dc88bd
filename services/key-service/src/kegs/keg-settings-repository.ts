import type { KegUnit } from '@cellarman/contracts';
import { ApiError } from '@cellarman/http-api';
import { requireCellar } from '../cellars/cellars-repository.ts';
import { lockCellar } from '../cellars/lock-cellar.ts';
import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { MAX_KEGS } from './keg-schema.ts';
import type { KegSettings, KegView } from './keg-schema.ts';

interface Row {
  keg: string;
  unit: string | null;
  decimals: number | null;
  description: string | null;
  good_min: number | null;
  good_max: number | null;
}

export interface KegName {
  cellar: string;
  keg: string;
}

const COLUMNS = 'keg, unit, decimals, description, good_min, good_max';
const NO_SETTINGS: KegSettings = {
  unit: null,
  decimals: null,
  description: null,
  goodRange: { min: null, max: null },
};

/** Units, decimals and good ranges of kegs in PostgreSQL. No other service caches them. */
export function createKegSettingsRepository({ database }: { database: Database }) {
  return {
    /** Returns the kegs that have settings, by name. */
    async list(cellar: string): Promise<KegView[]> {
      await requireCellar(database, cellar);
      const rows = await database.query<Row>(
        `SELECT ${COLUMNS} FROM keg_settings WHERE cellar = $1 ORDER BY keg`,
        [cellar],
      );
      return rows.map((row) => ({ keg: row.keg, ...toSettings(row) }));
    },

    /** Returns nothing for an unknown cellar. */
    units: (cellar: string): Promise<KegUnit[]> =>
      database.query<KegUnit>(
        `SELECT keg, unit FROM keg_settings WHERE cellar = $1 AND unit IS NOT NULL ORDER BY keg`,
        [cellar],
      ),

    /**
     * Replaces the settings of a keg. A request that changes nothing is not recorded.
     *
     * @throws {ApiError} `not_found`; `conflict` if the cellar is archived or has too many kegs with settings
     */
    async replace({ cellar, keg }: KegName, settings: KegSettings, actor: Actor): Promise<KegView> {
      return database.transaction(async (transaction) => {
        await lockCellar(transaction, cellar);
        const before = await find(transaction, { cellar, keg });
        const { unit, decimals, description, goodRange } = settings;
        const [row] = await transaction.query<Row>(
          `INSERT INTO keg_settings (cellar, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (cellar, keg) DO UPDATE
           SET unit = excluded.unit, decimals = excluded.decimals, description = excluded.description,
               good_min = excluded.good_min, good_max = excluded.good_max
           RETURNING ${COLUMNS}`,
          [cellar, keg, unit, decimals, description, goodRange.min, goodRange.max],
        );
        if (row === undefined) throw new Error('INSERT returned no row');
        if (before === undefined) await limitKegs(transaction, cellar);
        const after = toSettings(row);
        if (JSON.stringify(before) === JSON.stringify(after)) return { keg, ...after };
        await recordEntry(transaction, actor, {
          action: 'keg.changed',
          cellar,
          details: { keg, before: before ?? NO_SETTINGS, after },
        });
        return { keg, ...after };
      });
    },

    /** Removes the settings of a keg, if it has any. @throws {ApiError} as `replace` does */
    async remove({ cellar, keg }: KegName, actor: Actor): Promise<void> {
      await database.transaction(async (transaction) => {
        await lockCellar(transaction, cellar);
        const [row] = await transaction.query<Row>(
          `DELETE FROM keg_settings WHERE cellar = $1 AND keg = $2 RETURNING ${COLUMNS}`,
          [cellar, keg],
        );
        if (row === undefined) return;
        await recordEntry(transaction, actor, {
          action: 'keg.removed',
          cellar,
          details: { keg, ...toSettings(row) },
        });
      });
    },
  };
}

export type KegSettingsRepository = ReturnType<typeof createKegSettingsRepository>;

async function limitKegs(transaction: Queryable, cellar: string): Promise<void> {
  const [kegs] = await transaction.query<{ count: string }>(
    `SELECT count(*) FROM keg_settings WHERE cellar = $1`,
    [cellar],
  );
  if (Number(kegs?.count) <= MAX_KEGS) return;
  throw new ApiError('conflict', `The limit of ${MAX_KEGS} kegs with settings per cellar is reached.`);
}

async function find(database: Queryable, { cellar, keg }: KegName): Promise<KegSettings | undefined> {
  const [row] = await database.query<Row>(
    `SELECT ${COLUMNS} FROM keg_settings WHERE cellar = $1 AND keg = $2`,
    [cellar, keg],
  );
  return row === undefined ? undefined : toSettings(row);
}

function toSettings({ good_min: min, good_max: max, unit, decimals, description }: Row): KegSettings {
  return { unit, decimals, description, goodRange: { min, max } };
}
