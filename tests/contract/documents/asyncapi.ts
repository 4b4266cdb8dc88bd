import { CONTENT_TYPE, DEAD_LETTER_HEADERS, DEAD_LETTER_TOPIC, READINGS_TOPIC } from '@cellarman/contracts';
import { currentShape } from '../topic/published-shape.ts';

const KEY =
  '`<cellar>/<rack>`, in UTF-8. The partition is chosen by murmur2, as the Java client does; librdkafka needs `partitioner=murmur2_random` for that.';

const text = (description: string) => ({ type: 'string', description });

/** Both topics as AsyncAPI 3, from the side of a consumer. */
export function asyncApi(): object {
  const { headers, value, key } = currentShape();
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Cellarman readings',
      version: '1.0.0',
      description:
        'Every acknowledged reading, at least once. Tell repetitions by the five fields cellar, rack, keg, timestamp and value. docs/topic.md has the promises.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: CONTENT_TYPE,
    channels: {
      readings: {
        address: READINGS_TOPIC,
        messages: { reading: { $ref: '#/components/messages/reading' } },
        bindings: { kafka: { topic: READINGS_TOPIC, bindingVersion: '0.5.0' } },
      },
      deadLetters: {
        address: DEAD_LETTER_TOPIC,
        messages: { deadLetter: { $ref: '#/components/messages/deadLetter' } },
        bindings: { kafka: { topic: DEAD_LETTER_TOPIC, bindingVersion: '0.5.0' } },
      },
    },
    operations: {
      receiveReadings: { action: 'receive', channel: { $ref: '#/channels/readings' } },
      receiveDeadLetters: { action: 'receive', channel: { $ref: '#/channels/deadLetters' } },
    },
    components: {
      // By name: generators of code would number them.
      schemas: {
        Reading: { $id: 'Reading', title: 'Reading', ...value },
        ReadingHeaders: { $id: 'ReadingHeaders', title: 'ReadingHeaders', ...headers },
        DeadLetter: { $id: 'DeadLetter', title: 'DeadLetter', description: 'Any bytes.' },
        DeadLetterHeaders: {
          $id: 'DeadLetterHeaders',
          title: 'DeadLetterHeaders',
          type: 'object',
          required: Object.values(DEAD_LETTER_HEADERS),
          properties: {
            [DEAD_LETTER_HEADERS.reason]: text('Why it is no reading, for a person.'),
            [DEAD_LETTER_HEADERS.topic]: text('The topic that it came from.'),
            [DEAD_LETTER_HEADERS.partition]: text('The partition that it came from, in decimal digits.'),
            [DEAD_LETTER_HEADERS.offset]: text('Its offset there, in decimal digits.'),
          },
        },
      },
      messages: {
        reading: {
          name: 'reading',
          title: 'A reading',
          summary: 'One line of JSON.',
          contentType: CONTENT_TYPE,
          headers: { $ref: '#/components/schemas/ReadingHeaders' },
          payload: { $ref: '#/components/schemas/Reading' },
          bindings: { kafka: { key: { type: 'string', description: KEY }, bindingVersion: '0.5.0' } },
          examples: [
            {
              summary: `Its key is ${key.key}.`,
              headers: { 'content-type': CONTENT_TYPE, 'schema-version': '1' },
              payload: {
                ...{ cellar: key.cellar, rack: key.rack, keg: 'temperature', value: 21.5 },
                timestamp: '2026-11-21T06:30:00Z',
                received_at: '2026-11-21T06:30:00.123Z',
                key_id: 'k_4Jt0c2fYxq',
              },
            },
          ],
        },
        deadLetter: {
          name: 'deadLetter',
          title: 'A message that is no reading',
          summary:
            'Key, value and headers as they were in the topic of the readings, and headers that say why.',
          headers: { $ref: '#/components/schemas/DeadLetterHeaders' },
          payload: { $ref: '#/components/schemas/DeadLetter' },
        },
      },
    },
  };
}
