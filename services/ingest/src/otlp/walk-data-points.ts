import protobuf from 'protobufjs';
import { BatchRejection } from '../batch/batch-rejection.ts';
import { MAX_NAME_BYTES } from '../batch/scan/scan-parts.ts';
import {
  DATA_POINTS,
  decodeResource,
  decodeScope,
  GAUGE_AND_SUM,
  METRICS,
  NAME,
  OTHER_KINDS,
  RESOURCE_METRICS,
  SCOPE_METRICS,
  SOURCE,
} from '../http/otlp-protocol.ts';
import type { Attribute, Source } from '../http/otlp-protocol.ts';

/** An empty message takes two bytes: no more of them in a row than one turn of the event loop has time for. */
const MAX_FIELDS = 10_000;
/** Decoding this much takes less time than a slice of `scanBatch`. */
export const MAX_MESSAGE_BYTES = 65_536;

/** A data point, and what it shares with others. That is found once for all of them. */
export interface FoundDataPoint {
  /** Of the scope or the resource. */
  sharedRack: string | undefined;
  /** Without what makes it too long for a keg. */
  metric: string;
  /** Whether it is one of a gauge or a sum. */
  isNumber: boolean;
  bytes: Uint8Array;
}

/**
 * Finds the data points of a request one after the other: decoding all of it at a time would block the event loop.
 *
 * @param rackIn finds the rack in the attributes of a scope and its resource
 * @throws {BatchRejection} where it is not protobuf
 */
export function* walkDataPoints(
  request: Uint8Array,
  rackIn: (attributes: readonly Attribute[]) => string | undefined,
): Generator<FoundDataPoint, undefined> {
  let fields = 0;

  /** Yields the messages of one field. */
  function* messages(parent: Uint8Array, id: number): Generator<Uint8Array> {
    const reader = protobuf.Reader.create(parent);
    while (reader.pos < reader.len) {
      if (++fields > MAX_FIELDS)
        throw new BatchRejection('invalid_batch', 'The body has too few data points');
      const tag = reader.uint32();
      if (tag === ((id << 3) | 2)) yield reader.bytes();
      else reader.skipType(tag & 7);
    }
  }

  function attributesOf(parent: Uint8Array, decode: (bytes: Uint8Array) => Source): Attribute[] {
    return Array.from(messages(parent, SOURCE)).flatMap((source) => {
      if (source.length > MAX_MESSAGE_BYTES) {
        const text = `A resource or scope must have at most ${MAX_MESSAGE_BYTES} bytes`;
        throw new BatchRejection('payload_too_large', text);
      }
      return decode(source).attributes;
    });
  }

  for (const ofResource of messages(request, RESOURCE_METRICS)) {
    const resourceAttributes = attributesOf(ofResource, decodeResource);
    for (const ofScope of messages(ofResource, SCOPE_METRICS)) {
      const sharedRack = rackIn([...attributesOf(ofScope, decodeScope), ...resourceAttributes]);
      for (const metric of messages(ofScope, METRICS)) {
        const [name = Buffer.alloc(0)] = messages(metric, NAME);
        const found = { sharedRack, metric: Buffer.from(name.subarray(0, MAX_NAME_BYTES + 1)).toString() };
        for (const id of [...GAUGE_AND_SUM, ...OTHER_KINDS]) {
          for (const data of messages(metric, id)) {
            for (const bytes of messages(data, DATA_POINTS)) {
              fields = 0;
              yield { ...found, isNumber: GAUGE_AND_SUM.includes(id), bytes };
            }
          }
        }
      }
    }
  }
}
