import { BatchRejection } from '../batch/batch-rejection.ts';
import type { BatchReader, ReadingRejection } from '../batch/scan/batch-reader.ts';
import { createScanParts, NO_TIMESTAMP, rejectReading } from '../batch/scan/scan-parts.ts';
import { compileKegRule } from '../line-protocol/keg-rule.ts';
import { toJsonNumber } from '../line-protocol/to-json-number.ts';
import { toTimestamp } from '../line-protocol/to-timestamp.ts';
import type { ScannedReading } from '../scan/scan-state.ts';
import { decodeDataPoint, toProtobuf } from '../http/otlp-protocol.ts';
import type { Attribute } from '../http/otlp-protocol.ts';
import { MAX_MESSAGE_BYTES, walkDataPoints } from './walk-data-points.ts';
import type { FoundDataPoint } from './walk-data-points.ts';

/** The rack is the first of these attributes of the data point, else of its scope, else of its resource. */
export const RACK_ATTRIBUTES = ['rack', 'device.id', 'host.name', 'service.name'] as const;
/** JSON is parsed in one turn of the event loop. */
const MAX_JSON_BYTES = 131_072;
const NO_RECORDED_VALUE = 1;
const NANOSECONDS = 9;
const kegOf = compileKegRule('{measurement}{tags}');
const NO_RACK = `"rack" is missing: there is none of the attributes ${RACK_ATTRIBUTES.join(', ')}, and the API key is not restricted to one rack`;

export interface MetricsOptions {
  cellar: string;
  /** Of data points without an attribute for it. */
  rack: string | null;
  isJson: boolean;
}

/** OTLP metrics: one reading per data point of a gauge or sum. */
export function readMetrics(body: Buffer, { cellar, rack, isJson }: MetricsOptions): BatchReader {
  const message = isJson ? fromJson(body) : body;
  const parts = createScanParts(cellar, 'utf8');
  const points = walkDataPoints(message, rackIn);
  /** The message has another length than JSON. */
  const scale = body.length / Math.max(message.length, 1);
  let position = 0;

  function next(): ScannedReading | ReadingRejection | undefined {
    for (;;) {
      const { value: found } = points.next();
      if (found === undefined) return undefined;
      position = found.bytes.byteOffset + found.bytes.length - message.byteOffset;
      const reading = toReading(found);
      if (reading !== undefined) return reading;
    }
  }

  /** Returns undefined for a series that has ended. */
  function toReading({ bytes, isNumber, sharedRack, metric }: FoundDataPoint) {
    if (!isNumber) return rejectReading(`Only gauges and sums are stored, and ${metric} is another kind`);
    if (bytes.length > MAX_MESSAGE_BYTES) {
      return rejectReading(`A data point must have at most ${MAX_MESSAGE_BYTES} bytes`);
    }
    const point = decodeDataPoint(bytes);
    if (((point.flags ?? 0) & NO_RECORDED_VALUE) !== 0) return undefined;
    const tags = new Map<string, string>();
    for (const { key = '', value } of point.attributes.toSorted(byKey)) {
      const text = textOf(value);
      if (text === undefined)
        return rejectReading(`The attribute ${key} must be text, a number or a boolean`);
      tags.set(key, text);
    }
    const rackTag = RACK_ATTRIBUTES.find((name) => tags.has(name));
    const rackName = rackTag === undefined ? (sharedRack ?? rack) : tags.get(rackTag);
    if (rackName === undefined || rackName === null) return rejectReading(NO_RACK);
    const time = point.timeUnixNano ?? '0';
    const timestamp = toTimestamp(time, NANOSECONDS);
    if (time === '0' || timestamp === undefined) return rejectReading(NO_TIMESTAMP);
    const { asInt, asDouble } = point;
    const value = toJsonNumber(asInt === undefined ? String(asDouble) : `${asInt}i`);
    return parts.scan(rackName, kegOf(metric, tags, rackTag), '', value, timestamp);
  }

  return {
    bytes: parts.bytes,
    mayBeEmpty: true,
    get position() {
      return Math.round(position * scale);
    },
    next() {
      try {
        return next();
      } catch (error) {
        if (error instanceof BatchRejection) throw error;
        throw notARequest('protobuf', error);
      }
    },
  };
}

function fromJson(body: Buffer): Uint8Array {
  if (body.length > MAX_JSON_BYTES) {
    const text = `JSON must have at most ${MAX_JSON_BYTES} bytes. Send protobuf, or smaller batches`;
    throw new BatchRejection('payload_too_large', text);
  }
  try {
    return toProtobuf(body.toString());
  } catch (error) {
    throw notARequest('JSON', error);
  }
}

function notARequest(format: string, error: unknown): BatchRejection {
  const text = `The body is not an ExportMetricsServiceRequest in ${format}: ${(error as Error).message}`;
  return new BatchRejection('invalid_batch', text);
}

function byKey({ key: a = '' }: Attribute, { key: b = '' }: Attribute): number {
  return a < b ? -1 : 1;
}

function rackIn(attributes: readonly Attribute[]): string | undefined {
  for (const name of RACK_ATTRIBUTES) {
    const found = attributes.find(({ key }) => key === name);
    if (found !== undefined) return textOf(found.value);
  }
  return undefined;
}

function textOf(value: Attribute['value']): string | undefined {
  const { stringValue, boolValue, intValue, doubleValue } = value ?? {};
  const found = stringValue ?? boolValue ?? intValue ?? doubleValue;
  return found === undefined ? undefined : String(found);
}
