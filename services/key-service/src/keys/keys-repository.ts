import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import type { Commit, Outcome } from '../changes/committer.ts';
import type { Actor } from '../changes/record-changes.ts';
import type { RateLimit } from '../http/rate-limit-schema.ts';
import type { Role } from '../access/access.ts';
import { requireEnabled } from '../access/require-enabled.ts';
import { requireCellar } from '../cellars/cellars-repository.ts';
import { lockCellar } from '../cellars/lock-cellar.ts';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { readExpiry } from './expiry.ts';
import { findByRequest, insertKey, insertKeys } from './insert-key.ts';
import type { NewKey } from './insert-key.ts';
import { getKeyRow, toKeyView } from './key-row.ts';
import type { KeyRow } from './key-row.ts';
import type { KeyView } from './key-schema.ts';
import { createLimitActiveKeys } from './limit-active-keys.ts';
import { listKeys } from './list-keys.ts';
import type { ListKeys } from './list-keys.ts';
import { requireRateWithin } from './rate-within-cellar.ts';

export interface KeyChange {
  name?: string;
  rateLimit?: RateLimit | null;
  expiresAt?: string | null;
}

/** The one moment at which the secret is there. */
export interface KeyWithSecret {
  key: KeyView;
  secret: string;
}

/** `secret` is null if an earlier request has created the key: its response had the secret. */
export interface BulkResult {
  id: string;
  secret: string | null;
}

/** API keys in PostgreSQL. Each change of one is recorded, so that no copy of it outlives the change. */
export function createKeysRepository(options: {
  database: Queryable;
  commit: Commit;
  maxKeysPerCellar: number;
}) {
  const { database, commit } = options;
  const limitActiveKeys = createLimitActiveKeys(options.maxKeysPerCellar);
  return {
    async list(cellar: string, list: ListKeys) {
      await requireCellar(database, cellar);
      return listKeys(database, cellar, list);
    },

    get: async (cellar: string, id: string): Promise<KeyView> =>
      toKeyView(await getKeyRow(database, cellar, id)),

    /** @param role of the requester */
    async create(cellar: string, key: NewKey, role: Role, actor: Actor): Promise<KeyWithSecret> {
      const secret = generateApiKey();
      return commit(actor, async (transaction) => {
        await requireEnabled(transaction, actor);
        requireRateWithin(key.rateLimit, await lockCellar(transaction, cellar), role);
        const id = await insertKey(transaction, { ...key, cellar, secret }, actor);
        await limitActiveKeys(transaction, cellar);
        const row = await getKeyRow(transaction, cellar, id);
        return changed([row], { key: toKeyView(row), secret }, 'key.created', settingsOf(row));
      });
    },

    /**
     * Creates all of these keys in one transaction, or none. A key whose `requestId` is known is not created again.
     *
     * @param role of the requester
     */
    async createMany(
      cellar: string,
      newKeys: readonly (NewKey & { requestId: string })[],
      role: Role,
      actor: Actor,
    ): Promise<BulkResult[]> {
      const keys = newKeys.map((key) => ({ ...key, cellar, secret: generateApiKey() }));
      return commit(actor, async (transaction) => {
        await requireEnabled(transaction, actor);
        const cellarLimit = await lockCellar(transaction, cellar);
        for (const { rateLimit } of keys) requireRateWithin(rateLimit, cellarLimit, role);
        const ids = await insertKeys(transaction, keys, actor);
        await limitActiveKeys(transaction, cellar, ids.size);
        const known = await findByRequest(transaction, cellar, keys);
        const results = keys.map(({ secret, requestId }) => {
          const id = ids.get(hashApiKey(secret));
          return id === undefined ? { id: known.get(requestId) ?? '', secret: null } : { id, secret };
        });
        const entries = keys.flatMap(({ secret, name, rack, rackPrefix, scopes, rateLimit, expiresAt }) => {
          const keyId = ids.get(hashApiKey(secret));
          const details = { name, rack, rackPrefix, scopes, rateLimit, expiresAt };
          return keyId === undefined ? [] : { action: 'key.created', cellar, keyId, details };
        });
        return { result: results, changed: [...ids.keys()].map((hash) => ({ kind: 'key', hash })), entries };
      });
    },

    /**
     * @param role of the requester
     * @throws {ApiError} `conflict` when it is revoked; an expired key may be given a later expiry
     */
    async change(cellar: string, id: string, change: KeyChange, role: Role, actor: Actor): Promise<KeyView> {
      return commit(actor, async (transaction) => {
        const cellarLimit = await lockCellar(transaction, cellar);
        const before = await lockKey(transaction, cellar, id);
        if (before.state === 'revoked') throw new ApiError('conflict', 'This key is already revoked');
        const { name = before.name, rateLimit } = change;
        if (rateLimit !== undefined) requireRateWithin(rateLimit, cellarLimit, role);
        const expiresAt =
          change.expiresAt === undefined
            ? before.expires_at
            : await readExpiry(transaction, change.expiresAt);
        const keep = rateLimit === undefined;
        await transaction.query(
          `UPDATE api_keys SET name = $2, expires_at = $3, rate_per_second = $4, rate_burst = $5 WHERE id = $1`,
          [
            id,
            name,
            expiresAt,
            keep ? before.rate_per_second : (rateLimit?.perSecond ?? null),
            keep ? before.rate_burst : (rateLimit?.burst ?? null),
          ],
        );
        if (before.state === 'expired') await limitActiveKeys(transaction, cellar);
        const row = await getKeyRow(transaction, cellar, id);
        return changed([row], toKeyView(row), 'key.changed', {
          before: settingsOf(before),
          after: settingsOf(row),
        });
      });
    },

    /** Final. Revoking a revoked key changes nothing. */
    async revoke(cellar: string, id: string, actor: Actor): Promise<KeyView> {
      return commit(actor, async (transaction) => {
        const before = await lockKey(transaction, cellar, id);
        if (before.state === 'revoked') return changed([], toKeyView(before), 'key.revoked');
        await transaction.query(`UPDATE api_keys SET revoked_at = now(), revoked_by = $2 WHERE id = $1`, [
          id,
          actor.id,
        ]);
        const row = await getKeyRow(transaction, cellar, id);
        return changed([row], toKeyView(row), 'key.revoked', { name: row.name });
      });
    },

    /** A new key with the same settings. The old one goes on for the overlap, but never longer than it would have. */
    async rotate(
      cellar: string,
      id: string,
      rotation: { overlapSeconds: number; expiresAt?: string | null },
      actor: Actor,
    ): Promise<KeyWithSecret & { replaced: KeyView }> {
      const secret = generateApiKey();
      return commit(actor, async (transaction) => {
        await requireEnabled(transaction, actor);
        await lockCellar(transaction, cellar);
        const old = await lockKey(transaction, cellar, id);
        if (old.state !== 'active') {
          throw new ApiError('conflict', `The key is ${old.state}. Only an active key can be rotated.`);
        }
        const newId = await insertKey(
          transaction,
          {
            ...toKeyView(old),
            ...('expiresAt' in rotation ? { expiresAt: rotation.expiresAt ?? null } : {}),
            secret,
            rotatedFrom: id,
          },
          actor,
        );
        await transaction.query(
          `UPDATE api_keys SET expires_at = least(expires_at, now() + make_interval(secs => $2)) WHERE id = $1`,
          [id, rotation.overlapSeconds],
        );
        await limitActiveKeys(transaction, cellar);
        const key = await getKeyRow(transaction, cellar, newId);
        const replaced = await getKeyRow(transaction, cellar, id);
        const result = { key: toKeyView(key), secret, replaced: toKeyView(replaced) };
        return changed([replaced, key], result, 'key.rotated', {
          newKeyId: newId,
          oldExpiresAt: result.replaced.expiresAt,
        });
      });
    },
  };
}

export type KeysRepository = ReturnType<typeof createKeysRepository>;

/** Keeps everybody else from changing the key, also by archiving its cellar, until this transaction ends. */
async function lockKey(transaction: Queryable, cellar: string, id: string): Promise<KeyRow> {
  await transaction.query(`SELECT FROM cellars WHERE name = $1 FOR SHARE`, [cellar]);
  await transaction.query(`SELECT FROM api_keys WHERE cellar = $1 AND id = $2 FOR UPDATE`, [cellar, id]);
  return getKeyRow(transaction, cellar, id);
}

function changed<Result>(
  rows: readonly KeyRow[],
  result: Result,
  action: string,
  details: Record<string, unknown> = {},
): Outcome<Result> {
  const [first] = rows;
  return {
    result,
    changed: rows.map(({ hash }) => ({ kind: 'key', hash })),
    entries: first === undefined ? [] : [{ action, cellar: first.cellar, keyId: first.id, details }],
  };
}

/** What the audit shows of a key. */
function settingsOf(row: KeyRow): Record<string, unknown> {
  const { name, rack, rackPrefix, scopes, rateLimit, expiresAt } = toKeyView(row);
  return { name, rack, rackPrefix, scopes, rateLimit, expiresAt };
}
