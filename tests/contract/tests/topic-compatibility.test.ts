import { describe, expect, it } from 'vitest';
import { incompatibleChanges } from '../topic/incompatible-changes.ts';
import { readPublishedShape } from '../topic/published-file.ts';
import { currentShape } from '../topic/published-shape.ts';
import type { PublishedShape } from '../topic/published-shape.ts';

const published = await readPublishedShape();

describe('the topic that is published', () => {
  it('is still what the code writes: a change that breaks consumers is a new topic, v2', () => {
    expect(incompatibleChanges(published, currentShape())).toEqual([]);
  });

  it('is published as it is: after an addition, run: npx -y pnpm@12 publish-topic', () => {
    expect(published).toEqual(currentShape());
  });
});

/** The published shape with one change. */
function changed(change: (shape: Shape) => void): PublishedShape {
  const shape = structuredClone(published) as Shape;
  change(shape);
  return shape;
}
type Fields = { properties: Record<string, Record<string, unknown>>; required: string[] };
type Shape = PublishedShape & { value: Fields; headers: Fields };

const field = (name: string, keywords: Record<string, unknown>) => (shape: Shape) =>
  void Object.assign(shape.value.properties[name] ?? {}, keywords);

describe('a change that breaks consumers is named', () => {
  it.each<[string, (shape: Shape) => void, string]>([
    ['another topic', (shape) => (shape.topic = 'readings'), 'the topic was renamed to readings'],
    ['another key', (shape) => (shape.key.key = 'demo:r'), 'the key was demo/boiler-house-2 and is demo:r'],
    ['a removed field', (shape) => delete shape.value.properties['key_id'], 'field key_id was removed'],
    [
      'a field that may be missing',
      (shape) => shape.value.required.pop(),
      'field key_id is no longer required',
    ],
    ['another type', field('value', { type: 'string' }), 'field value had type "number" and has "string"'],
    [
      'no type',
      (shape) => delete shape.value.properties['value']?.['type'],
      'field value lost its type "number"',
    ],
    ['longer texts', field('rack', { maxLength: 300 }), 'field rack had maxLength 256 and has 300'],
    ['shorter texts', field('rack', { minLength: 0 }), 'field rack had minLength 1 and has 0'],
    ['another pattern', field('timestamp', { pattern: '.*' }), 'field timestamp had pattern'],
    [
      'a new required field',
      (shape) => {
        shape.value.properties['unit'] = { type: 'string' };
        shape.value.required.push('unit');
      },
      'field unit is new and required, but older messages do not have it',
    ],
    [
      'a removed header',
      (shape) => delete shape.headers.properties['traceparent'],
      'header traceparent was removed',
    ],
    [
      'another schema version',
      (shape) => Object.assign(shape.headers.properties['schema-version'] ?? {}, { const: '2' }),
      'header schema-version had const "1" and has "2"',
    ],
    [
      'a value that is no object',
      (shape) => (shape.value.type = 'array'),
      'the fields as a whole had type "object"',
    ],
  ])('%s', (_case, change, sentence) => {
    const changes = incompatibleChanges(published, changed(change));
    expect(changes.filter((found) => found.startsWith(sentence))).toHaveLength(1);
  });

  it('a choice that grows', () => {
    const before = changed(field('keg', { enum: ['a', 'b'] }));
    expect(incompatibleChanges(before, changed(field('keg', { enum: ['a', 'b', 'c'] })))).toEqual([
      'field keg had enum ["a","b"] and has ["a","b","c"]',
    ]);
    expect(incompatibleChanges(before, changed(field('keg', { enum: ['b'] })))).toEqual([]);
  });
});

describe('a change that consumers do not notice is allowed', () => {
  it.each<[string, (shape: Shape) => void]>([
    ['a new field that may be missing', (shape) => (shape.value.properties['unit'] = { type: 'string' })],
    ['a new header', (shape) => (shape.headers.properties['region'] = { type: 'string' })],
    ['a header that is now always there', (shape) => shape.headers.required.push('traceparent')],
    ['shorter texts at most', field('rack', { maxLength: 200 })],
    ['a new bound', field('value', { minimum: 0 })],
    ['other words', field('value', { description: 'The value.', examples: [1] })],
  ])('%s', (_case, change) => {
    expect(incompatibleChanges(published, changed(change))).toEqual([]);
  });
});
