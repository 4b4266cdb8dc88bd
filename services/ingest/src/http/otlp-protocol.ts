import { mediaTypeOf } from '@cellarman/http-api';
import type { FastifyReply } from 'fastify';
import protobuf from 'protobufjs';
import { JSON_TYPE } from './send-past-fastify.ts';

const repeated = (type: string, id: number) => ({ rule: 'repeated', type, id });

/**
 * What is read of `opentelemetry/proto/collector/metrics/v1/metrics_service.proto`. The data points of the other kinds of
 * metrics have the number of these, and are counted only.
 */
const root = protobuf.Root.fromJSON({
  nested: {
    Request: { fields: { resourceMetrics: repeated('ResourceMetrics', 1) } },
    ResourceMetrics: {
      fields: { resource: { type: 'Resource', id: 1 }, scopeMetrics: repeated('ScopeMetrics', 2) },
    },
    ScopeMetrics: { fields: { scope: { type: 'Scope', id: 1 }, metrics: repeated('Metric', 2) } },
    Resource: { fields: { attributes: repeated('Attribute', 1) } },
    Scope: { fields: { attributes: repeated('Attribute', 3) } },
    Metric: {
      fields: {
        name: { type: 'string', id: 1 },
        gauge: { type: 'Data', id: 5 },
        sum: { type: 'Data', id: 7 },
        histogram: { type: 'Data', id: 9 },
        exponentialHistogram: { type: 'Data', id: 10 },
        summary: { type: 'Data', id: 11 },
      },
    },
    Data: { fields: { dataPoints: repeated('DataPoint', 1) } },
    // Members of a oneof are present with the values 0 and false too.
    DataPoint: {
      oneofs: { value: { oneof: ['asDouble', 'asInt'] } },
      fields: {
        timeUnixNano: { type: 'fixed64', id: 3 },
        asDouble: { type: 'double', id: 4 },
        asInt: { type: 'sfixed64', id: 6 },
        attributes: repeated('Attribute', 7),
        flags: { type: 'uint32', id: 8 },
      },
    },
    Attribute: { fields: { key: { type: 'string', id: 1 }, value: { type: 'Value', id: 2 } } },
    Value: {
      oneofs: { value: { oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue'] } },
      fields: {
        stringValue: { type: 'string', id: 1 },
        boolValue: { type: 'bool', id: 2 },
        intValue: { type: 'int64', id: 3 },
        doubleValue: { type: 'double', id: 4 },
      },
    },
    Response: { fields: { partialSuccess: { type: 'Partial', id: 1 } } },
    Partial: {
      fields: { rejectedDataPoints: { type: 'int64', id: 1 }, errorMessage: { type: 'string', id: 2 } },
    },
    Status: { fields: { message: { type: 'string', id: 2 } } },
  },
});

/** The numbers of the fields that lead to a data point. */
export const RESOURCE_METRICS = 1;
export const SCOPE_METRICS = 2;
export const METRICS = 2;
export const NAME = 1;
export const DATA_POINTS = 1;
export const GAUGE_AND_SUM: readonly number[] = [5, 7];
export const OTHER_KINDS: readonly number[] = [9, 10, 11];
/** A resource, and a scope. */
export const SOURCE = 1;

export interface Attribute {
  key?: string;
  value?: { stringValue?: string; boolValue?: boolean; intValue?: string; doubleValue?: number };
}

export interface Source {
  attributes: Attribute[];
}

/** Numbers of 64 bits are text, because a number would not hold them. */
export interface DataPoint {
  timeUnixNano?: string;
  asDouble?: number;
  asInt?: string;
  attributes: Attribute[];
  flags?: number;
}

const [request, resource, scope, dataPoint, response, status] = [
  ...['Request', 'Resource', 'Scope', 'DataPoint', 'Response', 'Status'],
].map((name) => root.lookupType(name)) as [
  protobuf.Type,
  protobuf.Type,
  protobuf.Type,
  protobuf.Type,
  protobuf.Type,
  protobuf.Type,
];

/** Without the defaults of absent fields. */
function decode(type: protobuf.Type, bytes: Uint8Array): unknown {
  return type.toObject(type.decode(bytes), { longs: String, arrays: true });
}
export const decodeDataPoint = (bytes: Uint8Array) => decode(dataPoint, bytes) as DataPoint;
export const decodeResource = (bytes: Uint8Array) => decode(resource, bytes) as Source;
export const decodeScope = (bytes: Uint8Array) => decode(scope, bytes) as Source;

/** @throws where the JSON is not a request */
export function toProtobuf(json: string): Uint8Array {
  return request.encode(request.fromObject(JSON.parse(json) as object)).finish();
}

export const PROTOBUF_TYPE = 'application/x-protobuf';

/** Errors before there is a content type are JSON. */
export function formatOf({ request }: FastifyReply): { isJson: boolean; type: string } {
  const isJson = mediaTypeOf(request.raw.headers['content-type']) !== PROTOBUF_TYPE;
  return { isJson, type: isJson ? JSON_TYPE : PROTOBUF_TYPE };
}

/** Writes a response in the format of the request. */
export function writeResponse(
  isJson: boolean,
  rejected?: { count: number; message: string },
): string | Buffer {
  const partialSuccess = rejected && { rejectedDataPoints: rejected.count, errorMessage: rejected.message };
  return write(isJson, response, partialSuccess === undefined ? {} : { partialSuccess });
}

/** Writes a `google.rpc.Status`: all errors have this format. */
export function writeStatus(isJson: boolean, message: string): string | Buffer {
  return write(isJson, status, { message });
}

function write(isJson: boolean, type: protobuf.Type, message: object): string | Buffer {
  return isJson ? JSON.stringify(message) : Buffer.from(type.encode(message).finish());
}
