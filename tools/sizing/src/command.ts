import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { LIST_PRICES } from './cost.ts';
import { describeSize } from './describe.ts';
import { DEFAULT_FLEET } from './fleet.ts';
import type { Fleet } from './fleet.ts';
import { helmValues } from './helm-values.ts';
import { size } from './size.ts';

export const HELP = `Usage: npx -y pnpm@12 size --devices N [options]

Computes what a fleet needs: replicas, partitions, volumes, memory and costs, from the figures of the benches.

  --devices N               devices that send
  --interval 60s            between two readings of a series: 10s, 5m, 1h
  --kegs N                  series of a device (default 1)
  --batch N                 readings in a request (default 1)
  --topic-days N            how long Kafka keeps readings (default 7, at least 1)
  --store-days N            how long ClickHouse keeps readings (default 90)
  --kafka-replicas N        copies in Kafka (default 3)
  --clickhouse-replicas N   copies in ClickHouse, for the costs (default 1)
  --price-core N            dollars a month for a core with 4 GB of memory (default ${LIST_PRICES.core})
  --price-disk N            dollars a month for a GB of SSD (default ${LIST_PRICES.diskGb})
  --price-zone N            dollars for a GB between zones (default ${LIST_PRICES.zoneGb})
  --values FILE             write the values for the chart that depend on the size
`;

const NUMBERS = {
  ...{ devices: 'devices', kegs: 'kegs', batch: 'readingsPerRequest' },
  ...{ 'topic-days': 'topicDays', 'store-days': 'storeDays' },
  ...{ 'kafka-replicas': 'kafkaReplicas', 'clickhouse-replicas': 'clickhouseReplicas' },
} as const satisfies Record<string, keyof Fleet>;

const PRICES = { 'price-core': 'core', 'price-disk': 'diskGb', 'price-zone': 'zoneGb' } as const;

/**
 * Returns the lines to print.
 *
 * @throws when an option is unknown or no positive number
 */
export async function runSizing(args: string[]): Promise<string> {
  const names = [...Object.keys(NUMBERS), ...Object.keys(PRICES), 'interval', 'values'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const values = parseArgs({ args, options, strict: true }).values as Record<string, string | undefined>;
  if (values['devices'] === undefined) throw new Error('Give the number of devices: --devices 10000');

  const fleet = { ...DEFAULT_FLEET };
  for (const [option, field] of Object.entries(NUMBERS)) {
    if (values[option] !== undefined) fleet[field] = positive(option, values[option]);
  }
  if (values['interval'] !== undefined) fleet.intervalSeconds = seconds(values['interval']);
  if (fleet.topicDays < 1) throw new Error('--topic-days must be at least 1');
  const prices = { ...LIST_PRICES };
  for (const [option, field] of Object.entries(PRICES)) {
    if (values[option] !== undefined) prices[field] = positive(option, values[option]);
  }

  const lines = [describeSize(fleet, prices)];
  if (values['values'] !== undefined) {
    await writeFile(values['values'], helmValues(fleet, size(fleet)));
    lines.push(`Wrote ${values['values']}: add the URLs of the engines as in docs/deployment.md.`);
  }
  return lines.join('\n');
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0) || value === Infinity)
    throw new Error(`--${option} must be a positive number, not ${text}`);
  return value;
}

const UNITS = { s: 1, m: 60, h: 3_600 };

function seconds(text: string): number {
  const [, number = '', unit = 's'] = /^([\d.]+)([smh]?)$/.exec(text) ?? [];
  return positive('interval', number) * UNITS[(unit === '' ? 's' : unit) as keyof typeof UNITS];
}
