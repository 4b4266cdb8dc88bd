import { READINGS_TOPIC } from '@cellarman/contracts';
import { readingSchema } from '@cellarman/reading';
import { currentShape } from '../topic/published-shape.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The reading as a client sends it. */
export function readingJsonSchema(): object {
  return { $schema: DRAFT, ...readingSchema, $id: 'cellarman:reading:v1', title: 'Reading' };
}

/** The value of a message in the topic, for consumers. */
export function topicJsonSchema(): object {
  return {
    $schema: DRAFT,
    $id: `cellarman:${READINGS_TOPIC}`,
    title: 'Reading in the topic',
    ...currentShape().value,
  };
}
