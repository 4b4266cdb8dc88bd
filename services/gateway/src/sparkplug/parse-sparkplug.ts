import { toReading } from '../to-reading.ts';
import type { MappedReading } from '../to-reading.ts';
import { metricValue } from './metric-value.ts';
import { decodePayload } from './payload.ts';
import type { Metric, Payload } from './payload.ts';

export const SPARKPLUG = 'spBv1.0/';

const TOPIC = /^spBv1\.0\/([^/]+)\/([ND])(BIRTH|DATA|DEATH)\/([^/]+)(?:\/([^/]+))?$/;
/** Of the protocol itself: they are no measurements. */
const CONTROL = /^(?:bdSeq$|Node Control\/|Device Control\/)/;
/** An edge node that came later takes the place of the one that was born first. */
const MOST_NODES = 1_000;
const MOST_METRICS = 20_000;

interface Born {
  name: string;
  datatype: number;
}

export interface SparkplugOptions {
  cellar: string;
  /** With `{group}`, `{node}` and `{device}`. */
  rack: string;
  /** By the name of a metric. An empty keg: the metric is ignored. */
  kegs: ReadonlyMap<string, string>;
}

export interface ParsedSparkplug {
  readings: MappedReading[];
  /** Metrics that are not readings, each with the reason; or why nothing of the message is. */
  rejected: string[];
  /** The edge node that has to send its births again. */
  unknownNode?: { group: string; node: string };
}

/** @param entry `METRIC=KEG` */
export function parseKeg(entry: string): [metric: string, keg: string] {
  const end = entry.lastIndexOf('=');
  return [entry.slice(0, end), entry.slice(end + 1)];
}

/** Returns a function that maps a Sparkplug B message to readings: a device is a rack, a metric is a keg. */
export function createParseSparkplug({ cellar, rack: template, kegs }: SparkplugOptions) {
  /** By edge node: the metrics of its births by name and by alias. */
  const nodes = new Map<string, Map<string, Born>>();

  function bornOf(id: string, isNew: boolean): Map<string, Born> | undefined {
    if (isNew) nodes.delete(id);
    const born = nodes.get(id) ?? (isNew ? new Map<string, Born>() : undefined);
    if (born !== undefined) nodes.set(id, born);
    if (nodes.size > MOST_NODES) nodes.delete(nodes.keys().next().value as string);
    return born;
  }

  /** @param sender whose metrics these are: aliases of others are not used */
  return function parseSparkplug(sender: string, topic: string, bytes: Buffer): ParsedSparkplug {
    const [, group = '', kind, type, node = '', device = ''] = TOPIC.exec(topic) ?? [];
    if (kind === undefined || (kind === 'D') !== (device !== ''))
      return rejected('the topic is not one of births, data and deaths');
    // The metrics of a birth are valid until the next one.
    if (type === 'DEATH') return { readings: [], rejected: [] };
    let payload: Payload;
    try {
      payload = decodePayload(bytes);
    } catch {
      return rejected('the payload is not one of Sparkplug B');
    }
    const isBirth = type === 'BIRTH';
    const born = bornOf(JSON.stringify([sender, group, node]), isBirth && kind === 'N');
    const unknownNode = { group, node };
    if (born === undefined) return { ...rejected('the edge node has sent no NBIRTH'), unknownNode };

    const names: Record<string, string> = { group, node, device };
    const rack = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '').replace(/\/$/, '');
    const parsed: ParsedSparkplug = { readings: [], rejected: [] };
    for (const metric of payload.metrics) {
      const known = identify(born, device, metric, isBirth);
      if (known === undefined) {
        parsed.rejected.push(`alias ${metric.alias}: no birth had it`);
        parsed.unknownNode = unknownNode;
        continue;
      }
      const { name, datatype } = known;
      const keg = kegs.get(name) ?? name;
      if (keg === '' || CONTROL.test(name) || metric.isNull === true) continue;
      const value = metricValue(metric, datatype);
      const reading =
        value === undefined
          ? { reason: `the data type ${datatype} is neither a number nor a Boolean` }
          : toReading({ cellar, rack, keg }, value, timestampOf(metric.timestamp ?? payload.timestamp));
      if ('reason' in reading) parsed.rejected.push(`${name}: ${reading.reason}`);
      else parsed.readings.push(reading);
    }
    return parsed;
  };
}

const rejected = (reason: string): ParsedSparkplug => ({ readings: [], rejected: [reason] });

/** As a JSON token. A time that does not exist is left to the check of the reading. */
function timestampOf(milliseconds: string | undefined): string | undefined {
  if (milliseconds === undefined) return undefined;
  const date = new Date(Number(milliseconds));
  return JSON.stringify(Number.isNaN(date.getTime()) ? milliseconds : date.toISOString());
}

/** Returns the name and the data type, which only births must have. Keeps those of a birth. */
function identify(
  born: Map<string, Born>,
  device: string,
  { name, alias, datatype }: Metric,
  isBirth: boolean,
): Born | undefined {
  const ids = [
    ...(name === undefined ? [] : [`${device}/${name}`]),
    // Unique in the edge node, with all of its devices.
    ...(alias === undefined ? [] : [`alias ${alias}`]),
  ];
  if (isBirth && name !== undefined && born.size < MOST_METRICS)
    for (const id of ids) born.set(id, { name, datatype: datatype ?? 0 });
  const known = ids.map((id) => born.get(id)).find((found) => found !== undefined);
  const found = name ?? known?.name;
  return found === undefined ? undefined : { name: found, datatype: datatype ?? known?.datatype ?? 0 };
}
