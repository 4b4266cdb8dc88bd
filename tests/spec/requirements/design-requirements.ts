import { ERROR_CATALOGUE, ERROR_CODES } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import type { Requirement } from './entry.ts';
import { choice } from './entry.ts';

type CodeRequirements = Record<`code.${ErrorCode}`, Requirement>;

/** Each error code is provoked once: a code that is added here by the catalogue needs a test. */
const codes = Object.fromEntries(
  ERROR_CODES.map((code) => {
    const { status, meaning } = ERROR_CATALOGUE[code];
    return [`code.${code}`, choice('Error codes', `${status}: ${meaning}`)];
  }),
) as CodeRequirements;

/** Cellarman's guarantees about its HTTP responses beyond the specification. */
export const DESIGN_REQUIREMENTS = {
  'answers.order': choice(
    'Answers',
    'The first of these that applies is the answer: 404 or 405, 401, 415, 413, 429, 400, 403, 503.',
  ),
  'answers.received-at': choice(
    'Answers',
    'The timestamp of a success is the received_at of the stored reading.',
  ),
  'answers.close-on-401': choice('Answers', 'A 401 closes the connection, as the body has not been read.'),
  'answers.empty-key': choice('Answers', 'An empty X-API-Key counts as absent.'),
  'answers.revoked-key': choice('Answers', 'A revoked key reads "Invalid API key".'),
  'answers.nothing-changed': choice(
    'Answers',
    'Nothing is changed silently: what a double or UTF-8 cannot hold is a 400 that names the field; all else is stored as sent.',
  ),
  'answers.time-window': choice(
    'Answers',
    'A time further ahead than five minutes, or older than the retention, is rejected with the time of the server.',
  ),
  'answers.one-row': choice(
    'Answers',
    'The same five fields sent twice are one row; another value at the same time is a second.',
  ),
  'answers.no-false-success': choice(
    'Answers',
    'While Kafka does not acknowledge, the answer is 503 with Retry-After; sent again later it is stored once.',
  ),
  'batch.formats': choice(
    'Batches',
    'A batch is a JSON array or NDJSON; gzip, deflate, br and zstd are taken.',
  ),
  'batch.answers': choice(
    'Batches',
    '200 when all readings are stored. Otherwise the index, error, code and retryable of each that is not: with 207 when all of those are rejected for good, 503 when one is retryable, 400 when no reading is acceptable.',
  ),
  'batch.prefer': choice(
    'Batches',
    '`Prefer: handling=lenient` turns the 207 for rejected readings into a 200 with the same body.',
  ),
  'batch.once': choice(
    'Batches',
    'A batch that is sent again is in the view once, in whatever form it is sent.',
  ),
  ...codes,
};
