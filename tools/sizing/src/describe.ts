import { cost, LIST_PRICES } from './cost.ts';
import type { Prices } from './cost.ts';
import type { Fleet } from './fleet.ts';
import { reachedLimits } from './limits.ts';
import { size } from './size.ts';

/** Returns what a fleet needs, as lines for a terminal. */
export function describeSize(fleet: Fleet, prices: Prices = LIST_PRICES): string {
  const needed = size(fleet);
  const { replicas, cores, disks, ingest } = needed;
  const monthly = cost(fleet, needed, prices);
  const rows: [string, string][] = [
    ['Rate', `${count(needed.readings)} readings/s in ${count(needed.requests)} requests/s`],
    ['ingest', `${replicas.ingest} replicas, ${cpu(cores.ingest)}, ${ingest.memoryMiB} MiB each`],
    ['sink', `${replicas.sink} replicas, ${cpu(cores.sink)}`],
    ['key-service, query', `${replicas.keyService} and ${replicas.query} replicas`],
    [
      'Kafka',
      `${needed.partitions} partitions, ${cpu(cores.kafka)}, ${bytes(disks.kafka)} for ${fleet.topicDays} days`,
    ],
    [
      'Record batches',
      `${count(needed.messagesPerBatch)} readings, ${count(needed.topicBytesPerReading)} bytes each, PRODUCER_LINGER_MS=${needed.lingerMs}`,
    ],
    ['ClickHouse', `${cpu(cores.clickhouse)}, ${bytes(disks.clickhouse)} for ${fleet.storeDays} days`],
    ['PostgreSQL, Redis', `${bytes(disks.postgres)} on disk, ${bytes(disks.redis)} of memory`],
    [
      'Cost a month',
      `$${count(monthly.total)}: cores $${count(monthly.cores)}, disks $${count(monthly.disks)}, traffic between zones $${count(monthly.zones)}`,
    ],
    ['Cost of 10⁹ readings', `$${monthly.perBillionReadings.toFixed(2)}`],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(22)}${value}`);
  const warnings = reachedLimits(needed, fleet).map((warning) => `! ${warning}`);
  return [...lines, ...warnings].join('\n');
}

export function count(value: number): string {
  const digits = value >= 100 ? Number(value.toPrecision(3)) : Number(value.toPrecision(2));
  return digits.toLocaleString('en');
}

export function bytes(value: number): string {
  const unit = (['TB', 'GB', 'MB'] as const).find((name) => value >= FACTORS[name]) ?? 'MB';
  return `${count(value / FACTORS[unit])} ${unit}`;
}

const FACTORS = { TB: 1e12, GB: 1e9, MB: 1e6 };

function cpu(cores: number): string {
  return `${count(cores)} cores used`;
}
