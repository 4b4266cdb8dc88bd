import { CONTENT_TYPE, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import type { MessageHeaders } from '@cellarman/kafka';
import type { ReadingTrace } from '../trace.ts';

const HEADERS = { [TOPIC_HEADERS.contentType]: CONTENT_TYPE, [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION };

/** The headers of a message. Messages without a trace share one object, and so do those of a batch. */
export function messageHeaders(trace: ReadingTrace | undefined): MessageHeaders {
  return trace === undefined ? HEADERS : { ...HEADERS, [TOPIC_HEADERS.traceparent]: trace.traceparent };
}
