import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { kafkaAccess, silentLogger } from '@cellarman/kafka';
import { clickHouseAccess } from '@cellarman/clickhouse';
import { loadConfig } from './config.ts';
import { describeReport, isTrue } from './describe-report.ts';
import { verify } from './verify.ts';
import { connectView } from './view.ts';

const USAGE = '[--from ISO] [--to ISO] [--send-log FILE]... [--wait SECONDS] [--run-file FILE] [--json]';

export const HELP = `Usage: npx -y pnpm@12 verify ${USAGE}

Verifies that every reading of the topic is in the view exactly once and unaltered.

  --from, --to TIME   only readings that were received in this range, such as 2026-11-21T06:00:00Z
  --send-log FILE     also compare with the readings that a client logged as acknowledged; repeatable
  --wait SECONDS      how long readings may take to appear in the view (10)
  --run-file FILE     run.json of a local stack (.local/run.json); environment variables take precedence
  --json              print JSON

Exit code 0: nothing missing, duplicated or altered; 1: readings are missing, duplicated or altered; 2: the verification could not complete.
`;

const DEFAULT_RUN_FILE = resolve(import.meta.dirname, '../../../.local/run.json');

/**
 * Compares, and prints the report.
 *
 * @returns whether nothing is missing, duplicated or altered
 * @throws if it could not be verified
 */
export async function runVerifier(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      'send-log': { type: 'string', multiple: true, default: [] },
      wait: { type: 'string', default: '10' },
      'run-file': { type: 'string', default: DEFAULT_RUN_FILE },
      json: { type: 'boolean', default: false },
    },
  });
  const waitMs = Number(values.wait) * 1000;
  // Nothing is later than NaN: it would wait for ever.
  if (!(waitMs >= 0)) throw new Error(`${values.wait} is not a number of seconds. Usage: ${USAGE}`);
  const config = loadConfig(values['run-file']);
  // Kafka's own words would stand between the lines of the report; what ends the run is in the error.
  const connection = { ...kafkaAccess(config), clientId: 'cellarman-verifier', logger: silentLogger };
  const view = connectView(clickHouseAccess(config));
  try {
    const report = await verify({
      topic: { connection, topic: config.READINGS_TOPIC },
      deadLetters: { connection, topic: config.DEAD_LETTER_TOPIC },
      view,
      range: { from: instant(values.from), to: instant(values.to) },
      sendLogs: values['send-log'],
      waitMs,
      onStep: (text) => process.stderr.write(`${text} …\n`),
    });
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : describeReport(report));
    return isTrue(report);
  } finally {
    await view.close();
  }
}

function instant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`${text} is not an ISO 8601 time. Usage: ${USAGE}`);
  return time;
}
