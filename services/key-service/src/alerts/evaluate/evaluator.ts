import { startLoop } from '@cellarman/concurrency';
import { ApiError } from '@cellarman/http-api';
import type { Logger } from '@cellarman/telemetry';
import type { Database } from '../../postgres/database.ts';
import { applyObservation } from './apply-observation.ts';
import { findDueRules } from './due-rules.ts';
import type { DueRule } from './due-rules.ts';
import { LeaseLost } from './leader.ts';
import type { Leader } from './leader.ts';
import { observe } from './observe.ts';
import type { ObserveOptions } from './observe.ts';

export interface EvaluatorOptions extends ObserveOptions {
  database: Database;
  leader: Leader;
  /** Between two evaluations of a rule. */
  intervalSeconds: number;
  /** Between two looks for rules that are due. */
  tickMs: number;
  /** Called when notifications were queued. */
  onQueued: () => void;
  onEvaluated: (outcome: 'ok' | 'failed') => void;
  logger: Logger;
}

/** Rules evaluated at a time. ClickHouse has people to serve too. */
const CONCURRENCY = 2;
/** Of a rule that was deleted or disabled: its alerts end. */
const NOTHING = { subjects: [], holdSeconds: 0, isTruncated: false };

/** Evaluates the alert rules of all cellars, in the one replica that has the lease. */
export function startEvaluator(options: EvaluatorOptions): { stop(): Promise<void> } {
  const { database, leader, logger } = options;
  async function evaluateAll(rules: DueRule[], signal: AbortSignal): Promise<void> {
    for (let rule = rules.shift(); rule !== undefined; rule = rules.shift()) {
      if (signal.aborted || !(await leader.acquire())) return;
      await evaluate(rule, options);
    }
  }

  const loop = startLoop({
    ...{ intervalMs: options.tickMs, logger },
    failed: 'could not evaluate alert rules, will retry',
    async work(signal) {
      try {
        if (!(await leader.acquire())) return;
        const rules = await findDueRules(database, options.intervalSeconds);
        await Promise.all(Array.from({ length: CONCURRENCY }, () => evaluateAll(rules, signal)));
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error;
      }
    },
  });
  return {
    async stop() {
      await loop.stop();
      await leader.release().catch((error: unknown) => {
        logger.debug({ err: error }, 'could not release the lease of the alert rules, it will expire');
      });
    },
  };
}

async function evaluate(rule: DueRule, options: EvaluatorOptions): Promise<void> {
  const { database, onEvaluated, onQueued, logger } = options;
  try {
    const observation = rule.ended === null ? await observe(rule, options) : NOTHING;
    if ((await applyObservation(rule, observation, options)) > 0) onQueued();
    onEvaluated('ok');
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    onEvaluated('failed');
    logger.warn({ err: error, rule: rule.id }, 'could not evaluate an alert rule');
    // States stay: whether the condition holds is not known.
    const problem =
      error instanceof ApiError ? error.message : 'Unexpected error, see the log of key-service';
    await database.query(
      `UPDATE alert_rules SET evaluated_at = now(), problem = $3 WHERE id = $1 AND version = $2`,
      [rule.id, rule.version, problem],
    );
  }
}
