import type { TObject } from '@sinclair/typebox';
import { readingSchema, topicReadingSchema } from './schema.ts';
import type { Reading, TopicReading } from './schema.ts';

/** What the rules of a field are. The scanner, the checker and the decoder switch over it, each with its own code. */
export type FieldKind = 'cellar' | 'name' | 'number' | 'timestamp' | 'received_at' | 'key_id';

/** The kind of each field that a client sends. */
const READING_KINDS = {
  cellar: 'cellar',
  rack: 'name',
  keg: 'name',
  value: 'number',
  timestamp: 'timestamp',
} as const satisfies Record<keyof Reading, FieldKind>;

const TOPIC_KINDS = {
  ...READING_KINDS,
  received_at: 'received_at',
  key_id: 'key_id',
} as const satisfies Record<keyof TopicReading, FieldKind>;

export interface Field<Name extends string = string, Kind extends FieldKind = FieldKind> {
  name: Name;
  kind: Kind;
  isRequired: boolean;
  /** Of its text; undefined for a number. */
  pattern: RegExp | undefined;
  /**
   * The bytes before its value in a canonical line: `{"cellar":` for the first field, `,"rack":` for another. A plain array:
   * measured twice as fast to compare with as a buffer.
   */
  prefix: readonly number[];
}

/** The fields of a schema in its order, which is the order of a canonical line. The first one is required. */
export function fieldsOf<Name extends string, Kind extends FieldKind>(
  schema: TObject,
  kinds: Readonly<Record<Name, Kind>>,
): Field<Name, Kind>[] {
  return (Object.keys(schema.properties) as Name[]).map((name, index) => ({
    name,
    kind: kinds[name],
    isRequired: schema.required?.includes(name) ?? false,
    pattern: patternOf(schema.properties[name]),
    prefix: Array.from(Buffer.from(`${index === 0 ? '{' : ','}"${name}":`)),
  }));
}

function patternOf(property: object | undefined): RegExp | undefined {
  return property !== undefined && 'pattern' in property
    ? new RegExp(String(property.pattern), 'u')
    : undefined;
}

export type ReadingField = keyof Reading;

/** What a client sends. */
export const READING_FIELDS = fieldsOf(readingSchema, READING_KINDS);
export const READING_FIELD_NAMES: readonly ReadingField[] = READING_FIELDS.map(({ name }) => name);

/** Two messages with the same values of these are one reading (ADR 0004). A field that is added later is not one of them. */
export type IdentityField = Extract<ReadingField, 'cellar' | 'rack' | 'keg' | 'timestamp' | 'value'>;

/** What a line of the topic has: the same, and what ingest adds. */
export const TOPIC_FIELDS = fieldsOf(topicReadingSchema, TOPIC_KINDS);
