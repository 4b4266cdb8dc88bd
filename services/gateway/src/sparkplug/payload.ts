import protobuf from 'protobufjs';

/** A metric as it was sent. 64-bit integers are text, because a number would not hold them. */
export interface Metric {
  name?: string;
  alias?: string;
  /** Milliseconds since 1970. */
  timestamp?: string;
  datatype?: number;
  isNull?: boolean;
  intValue?: number;
  longValue?: string;
  floatValue?: number;
  doubleValue?: number;
  booleanValue?: boolean;
}

export interface Payload {
  timestamp?: string;
  metrics: Metric[];
}

/** The specification's section 6.4. Text, bytes, data sets and templates are skipped. */
const payload = protobuf.Root.fromJSON({
  nested: {
    Metric: {
      edition: 'proto2',
      fields: {
        name: { type: 'string', id: 1 },
        alias: { type: 'uint64', id: 2 },
        timestamp: { type: 'uint64', id: 3 },
        datatype: { type: 'uint32', id: 4 },
        isNull: { type: 'bool', id: 7 },
        intValue: { type: 'uint32', id: 10 },
        longValue: { type: 'uint64', id: 11 },
        floatValue: { type: 'float', id: 12 },
        doubleValue: { type: 'double', id: 13 },
        booleanValue: { type: 'bool', id: 14 },
      },
    },
    Payload: {
      edition: 'proto2',
      fields: {
        timestamp: { type: 'uint64', id: 1 },
        metrics: { rule: 'repeated', type: 'Metric', id: 2 },
      },
    },
  },
}).lookupType('Payload');

/** @throws if the bytes are not such a message */
export function decodePayload(bytes: Buffer): Payload {
  return payload.toObject(payload.decode(bytes), { longs: String, arrays: true }) as Payload;
}

export function encodePayload(content: Payload): Buffer {
  return Buffer.from(payload.encode(payload.fromObject(content)).finish());
}
