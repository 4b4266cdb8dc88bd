import { ApiError } from '@cellarman/http-api';
import { requireEnabled } from '../../access/require-enabled.ts';
import { requireCellar } from '../../cellars/cellars-repository.ts';
import { lockCellar } from '../../cellars/lock-cellar.ts';
import { recordEntry } from '../../changes/record-changes.ts';
import type { Actor } from '../../changes/record-changes.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { requireConsistent } from './require-condition.ts';
import { getRule, RULES, toRuleView } from './rule-row.ts';
import type { RuleBody, RuleView } from './rule-schema.ts';

const MAX_RULES = 100;

/** Alert rules in PostgreSQL. Nothing caches them, so a change needs no number, only its audit entry. */
export function createRulesRepository({ database }: { database: Database }) {
  /** One change of a rule with its audit entry. The evaluator waits for it, and then finds another version. */
  const change = async (cellar: string, id: string, actor: Actor, work: Change): Promise<RuleView> =>
    database.transaction(async (transaction) => {
      await lockCellar(transaction, cellar);
      await transaction.query(`SELECT FROM alert_rules WHERE cellar = $1 AND id = $2 FOR UPDATE`, [
        cellar,
        id,
      ]);
      const before = await getRule(transaction, cellar, id);
      const { action, details } = await work(transaction, before);
      await recordEntry(transaction, actor, { action, cellar, details: { ruleId: id, ...details(before) } });
      return action === 'alert_rule.deleted' ? before : getRule(transaction, cellar, id);
    });

  return {
    async list(cellar: string): Promise<RuleView[]> {
      await requireCellar(database, cellar);
      const rows = await database.query(
        `SELECT * FROM ${RULES} WHERE cellar = $1 ORDER BY firing > 0 DESC, lower(name), id`,
        [cellar],
      );
      return rows.map(toRuleView);
    },

    async create(cellar: string, body: RuleBody, actor: Actor): Promise<RuleView> {
      requireConsistent(body.condition);
      return database.transaction(async (transaction) => {
        await requireEnabled(transaction, actor);
        await lockCellar(transaction, cellar);
        await requireDestinations(transaction, cellar, body.destinations);
        const [row] = await transaction.query<{ id: string; rules: number }>(
          `INSERT INTO alert_rules (cellar, name, condition, destinations, is_enabled, created_by)
           VALUES ($1, $2, $3, $4, $5, $6)
           RETURNING id, (SELECT count(*)::int FROM alert_rules WHERE cellar = $1 AND deleted_at IS NULL) AS rules`,
          [cellar, body.name, body.condition, body.destinations, body.isEnabled, actor.id],
        );
        if (row === undefined) throw new Error('INSERT returned no row');
        // Counted without the new one.
        if (row.rules >= MAX_RULES)
          throw new ApiError('conflict', `A cellar has at most ${MAX_RULES} alert rules`);
        const rule = await getRule(transaction, cellar, row.id);
        await recordEntry(transaction, actor, {
          action: 'alert_rule.created',
          cellar,
          details: { ruleId: rule.id, ...settingsOf(rule) },
        });
        return rule;
      });
    },

    async replace(cellar: string, id: string, body: RuleBody, actor: Actor): Promise<RuleView> {
      requireConsistent(body.condition);
      return change(cellar, id, actor, async (transaction) => {
        await requireDestinations(transaction, cellar, body.destinations);
        await transaction.query(
          `UPDATE alert_rules SET name = $2, condition = $3, destinations = $4, is_enabled = $5,
             version = version + 1, evaluated_at = NULL, problem = NULL
           WHERE id = $1`,
          [id, body.name, body.condition, body.destinations, body.isEnabled],
        );
        return {
          action: 'alert_rule.changed',
          details: (before) => ({ before: settingsOf(before), after: settingsOf(body) }),
        };
      });
    },

    /** @param seconds null ends the mute */
    mute: async (cellar: string, id: string, seconds: number | null, actor: Actor): Promise<RuleView> =>
      change(cellar, id, actor, async (transaction) => {
        await transaction.query(
          `UPDATE alert_rules SET muted_until = now() + make_interval(secs => $2::int) WHERE id = $1`,
          [id, seconds],
        );
        return seconds === null
          ? { action: 'alert_rule.unmuted', details: ({ name }) => ({ name }) }
          : { action: 'alert_rule.muted', details: ({ name }) => ({ name, seconds }) };
      }),

    /** The evaluator resolves its alerts. */
    delete: async (cellar: string, id: string, actor: Actor): Promise<void> => {
      await change(cellar, id, actor, async (transaction) => {
        await transaction.query(
          `UPDATE alert_rules SET deleted_at = now(), version = version + 1, evaluated_at = NULL WHERE id = $1`,
          [id],
        );
        return { action: 'alert_rule.deleted', details: settingsOf };
      });
    },
  };
}

export type RulesRepository = ReturnType<typeof createRulesRepository>;

type Change = (
  transaction: Queryable,
  before: RuleView,
) => Promise<{ action: string; details: (before: RuleView) => Record<string, unknown> }>;

async function requireDestinations(transaction: Queryable, cellar: string, ids: string[]): Promise<void> {
  const [unknown] = await transaction.query<{ id: string }>(
    `SELECT id FROM unnest($2::uuid[]) AS given (id)
     WHERE NOT EXISTS (
       SELECT FROM alert_destinations AS kept
       WHERE kept.id = given.id AND kept.cellar = $1 AND kept.deleted_at IS NULL
     ) LIMIT 1`,
    [cellar, ids],
  );
  if (unknown !== undefined) {
    throw new ApiError(
      'invalid_request',
      `body/destinations: destination ${unknown.id} not found in this cellar`,
    );
  }
}

function settingsOf({
  name,
  condition,
  destinations,
  isEnabled,
}: RuleBody | RuleView): Record<string, unknown> {
  return { name, ...condition, destinations, isEnabled };
}
