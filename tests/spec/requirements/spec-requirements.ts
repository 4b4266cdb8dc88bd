import { choice, dashboard, said } from './entry.ts';

/** Every statement of the specification, one by one and in its order, in our words. */
export const SPEC_REQUIREMENTS = {
  'service.accepts': said('What the service does', 'The service accepts single readings over HTTP as JSON.'),
  'service.identity': said(
    'What the service does',
    'A reading names a cellar, a rack and a keg, and carries a number and a time.',
  ),
  'service.authenticated': said('What the service does', 'Every request needs an API key in a header.'),
  'service.key-management': dashboard(
    'What the service does',
    'Keys are made and managed in the dashboard, not at the endpoint of readings.',
  ),
  'service.limits-exist': said('What the service does', 'There are rate limits and a retention.'),
  'service.no-read-back': choice(
    'What the service does',
    'The service of readings gives none back; they are queried in ClickHouse.',
  ),
  'service.base-address': said('What the service does', 'All addresses begin with one base address.'),

  'reading.required': said('Reading', 'All five fields are required.'),
  'reading.cellar': said('Reading', 'cellar: text, the use case or project.'),
  'reading.rack': said('Reading', 'rack: text, the device that sends.'),
  'reading.keg': said('Reading', 'keg: text, the sensor or metric.'),
  'reading.value': said('Reading', 'value: a number, whole or decimal.'),
  'reading.timestamp': said('Reading', 'timestamp: text, a time in UTC after ISO 8601.'),
  'timestamp.format': said('Reading', 'The form of the timestamp is YYYY-MM-DDThh:mm:ssZ.'),
  'timestamp.year': said('Reading', 'YYYY: the year in four digits.'),
  'timestamp.month': said('Reading', 'MM: the month in two digits, 01 to 12.'),
  'timestamp.day': said('Reading', 'DD: the day in two digits, 01 to 31.'),
  'timestamp.separator': said('Reading', 'T stands between date and time.'),
  'timestamp.hour': said('Reading', 'hh: the hour in two digits, 00 to 23.'),
  'timestamp.minute': said('Reading', 'mm: the minute in two digits, 00 to 59.'),
  'timestamp.second': said('Reading', 'ss: the second in two digits, 00 to 59.'),
  'timestamp.zone': said('Reading', 'Z stands at the end and means UTC.'),
  'timestamp.utc-advice': choice(
    'Reading',
    'Clients are advised to send UTC: other offsets are rejected, not converted.',
  ),

  'key.secret-once': dashboard('API key', 'A key is a secret text, shown once when it is made.'),
  'key.listed': dashboard('API key', 'Active keys are listed with the dates of their creation and last use.'),
  'key.expiry-settable': dashboard('API key', 'A key may be given an expiry.'),
  'key.revocable': dashboard('API key', 'A key may be revoked at any time.'),
  'key.made-in-cellar': dashboard('API key', 'Keys are made inside a cellar.'),
  'reading.limits': choice(
    'API key',
    'Lengths, characters and ranges of the fields are those of docs/http-api.md.',
  ),
  'key.format': choice(
    'API key',
    'A key is cm_, 30 random characters and 6 of checksum; a typo is rejected without a lookup.',
  ),

  'key.active': said('States and transitions', 'A key that is neither expired nor revoked is active.'),
  'key.expired': said('States and transitions', 'A key past its expiry is expired.'),
  'key.revoked': said('States and transitions', 'A key that was revoked is revoked.'),
  'key.transitions': choice(
    'States and transitions',
    'Revoked is final; an expired key may be given a later expiry.',
  ),

  'ingest.one-reading': said('POST /api/v1/ingest', 'POST /api/v1/ingest sends one reading.'),
  'ingest.content-type': said(
    'POST /api/v1/ingest',
    'The header Content-Type: application/json is required.',
  ),
  'ingest.key-header': said('POST /api/v1/ingest', 'The header X-API-Key with a key is required.'),
  'ingest.body': said('POST /api/v1/ingest', 'The body is a JSON object with the five fields.'),
  'success.status': said('POST /api/v1/ingest', 'The answer to a good reading has status "success".'),
  'success.message': said('POST /api/v1/ingest', 'Its message is "Data ingested successfully".'),
  'success.timestamp': said('POST /api/v1/ingest', 'Its timestamp is a time after ISO 8601.'),
  'error.status': said('POST /api/v1/ingest', 'The answer to a bad reading has status "error".'),
  'error.error': said('POST /api/v1/ingest', 'Its error is a message for people.'),
  'error.code': said('POST /api/v1/ingest', 'Its code is an error code.'),
  'ingest.invalid-key-401': said(
    'POST /api/v1/ingest',
    'A request without a valid key is rejected with 401.',
  ),
  'success.http-status': choice('POST /api/v1/ingest', 'A success has the HTTP status 200.'),
  'ingest.batch': choice(
    'POST /api/v1/ingest',
    'This address takes one reading, and rejects an array; POST /api/v1/ingest/batch takes many. Clients keep the connection open.',
  ),
  'ingest.no-key-endpoints': choice(
    'POST /api/v1/ingest',
    'Keys are made, listed and revoked at the management API only, by a signed-in user.',
  ),

  'auth.every-request': said('Authentication', 'Every request carries X-API-Key with a valid key.'),
  'auth.making-a-key': dashboard(
    'Authentication',
    'Open or make a cellar, go to its keys, make a new one, copy it.',
  ),
  'auth.failure-shape': said(
    'Authentication',
    'A failure is a 401 with exactly error (text) and status (401).',
  ),
  'auth.invalid': said('Authentication', 'A key that is not valid: "Invalid API key".'),
  'auth.expired': said('Authentication', 'A key past its expiry: "API key has expired".'),
  'auth.absent': said('Authentication', 'No header: "API key is required".'),
  'auth.rate-limited': said('Authentication', 'Keys are subject to rate limits.'),
  'auth.practice': dashboard(
    'Authentication',
    'Keys can be rotated, be one per application, and be revoked at once.',
  ),
  'auth.one-cellar': choice(
    'Authentication',
    'A key is bound to one cellar, and may be to one rack or a prefix of racks.',
  ),

  'events.topic': choice(
    'Events',
    'There are no webhooks; each reading is an event in the Kafka topic cellarman.readings.v1.',
  ),

  'errors.key': said('Errors', 'A missing, invalid or expired key: 401 in the form {error, status}.'),
  'errors.other': said('Errors', 'Every other failure: the form {status: "error", error, code}.'),
  'errors.codes': choice('Errors', 'The codes are those of docs/errors.md.'),
  'errors.missing-field': choice('Errors', 'A missing field is a 400 that names it.'),
  'errors.wrong-type': choice(
    'Errors',
    'A value of the wrong type is a 400 that names the field; nothing is converted.',
  ),
  'errors.bad-timestamp': choice('Errors', 'A timestamp that is none is a 400 that names the field.'),
  'errors.fractions': choice('Errors', 'Fractions of a second are taken, up to nine digits, and stored.'),
  'errors.retry': choice('Errors', 'Sending the same reading again is safe: it stays one.'),

  'limits.rate': said('Limits', 'API keys are rate limited.'),
  'limits.rate-answer': choice(
    'Limits',
    'Beyond the rate: 429 with Retry-After, RateLimit-Policy and RateLimit.',
  ),
  'limits.retention': choice(
    'Limits',
    'A cellar keeps readings for its days, 90 if nothing else is set; older ones are rejected, and hidden.',
  ),

  'versioning.path': said('Versioning', 'The version is the prefix /api/v1 of the path.'),
  'versioning.others': choice('Versioning', 'There is no other version: other prefixes are 404.'),
};
