import { beforeAll, expect, test } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Cellar } from './client/owner.ts';
import { send } from './client/ingest.ts';
import type { Answer } from './client/ingest.ts';
import { readingOf, secondsAgo } from './client/reading.ts';
import { waitForReadings } from './client/stored-readings.ts';
import { requirement } from './requirements/requirement.ts';

let cellar: Cellar;
let apiKey: string;

beforeAll(async () => {
  // The longest retention, so that each month of a year can be sent.
  cellar = await (await signIn()).openCellar({ retentionDays: 3650 });
  apiKey = (await cellar.createKey()).secret;
});

const sendAt = (timestamp: string): Promise<Answer> =>
  send(JSON.stringify(readingOf(cellar.name, { timestamp })), { apiKey });

async function expectRejected(timestamps: string[]): Promise<void> {
  for (const timestamp of timestamps) {
    const { status, body } = await sendAt(timestamp);
    expect({ timestamp, status, code: body['code'] }).toEqual({
      timestamp,
      status: 400,
      code: 'invalid_reading',
    });
    expect(body['error']).toContain('"timestamp"');
  }
}

async function expectTaken(timestamps: string[]): Promise<void> {
  for (const timestamp of timestamps) {
    expect({ timestamp, answer: (await sendAt(timestamp)).body }).toMatchObject({
      answer: { status: 'success' },
    });
  }
}

/** A year that lies wholly in the past, and in the retention. */
const year = new Date().getUTCFullYear() - 1;

test(requirement('timestamp.format', 'the form of the specification is taken, others are not'), async () => {
  await expectTaken([secondsAgo(0)]);
  await expectRejected([
    '',
    'now',
    '1763706600',
    `${year}-06-15`,
    `${year}-06-15T12:00Z`,
    `${year}0615T120000Z`,
  ]);
});

test(requirement('timestamp.year', 'a year has four digits'), async () => {
  await expectRejected([
    `${year % 100}-06-15T12:00:00Z`,
    `0${year}-06-15T12:00:00Z`,
    `+00${year}-06-15T12:00:00Z`,
  ]);
});

test(requirement('timestamp.month', 'a month is 01 to 12'), async () => {
  const months = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'));
  await expectTaken(months.map((month) => `${year}-${month}-15T12:00:00Z`));
  await expectRejected(['00', '13', '1', '001'].map((month) => `${year}-${month}-15T12:00:00Z`));
});

test(requirement('timestamp.day', 'a day is one that its month has'), async () => {
  await expectTaken(['01-01', '01-31', '02-28', '04-30', '12-31'].map((day) => `${year}-${day}T12:00:00Z`));
  await expectRejected(['01-00', '01-32', '02-30', '04-31', '01-1'].map((day) => `${year}-${day}T12:00:00Z`));
});

test(requirement('timestamp.day', '29 February is a day in leap years only'), async () => {
  const leapYear = year - (year % 4);
  await expectTaken([`${leapYear}-02-29T12:00:00Z`]);
  await expectRejected([`${leapYear - 1}-02-29T12:00:00Z`]);
});

test(requirement('timestamp.separator', 'T stands between date and time'), async () => {
  await expectRejected([' ', 't', '_', '', 'TT'].map((between) => `${year}-06-15${between}12:00:00Z`));
});

test(requirement('timestamp.hour', 'an hour is 00 to 23'), async () => {
  await expectTaken(['00', '23'].map((hour) => `${year}-06-15T${hour}:00:00Z`));
  await expectRejected(['24', '1', '-1'].map((hour) => `${year}-06-15T${hour}:00:00Z`));
});

test(requirement('timestamp.minute', 'a minute is 00 to 59'), async () => {
  await expectTaken(['00', '59'].map((minute) => `${year}-06-15T12:${minute}:00Z`));
  await expectRejected(['60', '1'].map((minute) => `${year}-06-15T12:${minute}:00Z`));
});

test(requirement('timestamp.second', 'a second is 00 to 59: there is no leap second'), async () => {
  await expectTaken(['00', '59'].map((second) => `${year}-06-15T12:00:${second}Z`));
  await expectRejected(['60', '1'].map((second) => `${year}-06-15T12:00:${second}Z`));
  await expectRejected([`${year}-12-31T23:59:60Z`]);
});

test(
  requirement(
    ['timestamp.zone', 'timestamp.utc-advice'],
    'Z stands at the end; other offsets are rejected, not converted',
  ),
  async () => {
    await expectRejected(
      ['', 'z', '+00:00', '-00:00', '+01:00', 'ZZ', ' Z'].map((zone) => `${year}-06-15T12:00:00${zone}`),
    );
  },
);

test(requirement('errors.fractions', 'fractions of a second are stored, up to nine digits'), async () => {
  const own = await (await signIn()).openCellar();
  const { secret } = await own.createKey();
  const second = secondsAgo(60).slice(0, -1);
  const fractions = ['.1', '.25', '.123456789', '.000000001'];
  for (const fraction of fractions) {
    const reading = readingOf(own.name, { timestamp: `${second}${fraction}Z` });
    expect((await send(JSON.stringify(reading), { apiKey: secret })).status).toBe(200);
  }
  const stored = await waitForReadings(own.name, fractions.length);
  const wanted = fractions.map((fraction) => `${second.replace('T', ' ')}${fraction.padEnd(10, '0')}`);
  expect(stored.map(({ timestamp }) => timestamp).sort()).toEqual(wanted.sort());
  await expectRejected([`${second}.Z`, `${second}.1234567890Z`, `${second},5Z`]);
});

test(
  requirement(
    ['answers.time-window', 'code.timestamp_out_of_range'],
    'a wrong clock is rejected, and gets the time of the server',
  ),
  async () => {
    await expectTaken([secondsAgo(-240)]);
    for (const timestamp of [
      secondsAgo(-360),
      '2262-04-11T23:47:16Z',
      '9999-12-31T23:59:59Z',
      '1900-01-01T00:00:00Z',
    ]) {
      const { status, body } = await sendAt(timestamp);
      expect({ timestamp, status, body }).toMatchObject({
        status: 400,
        body: { code: 'timestamp_out_of_range' },
      });
      expect(body['error']).toMatch(/"timestamp".*the time of the server is \d{4}-\d{2}-\d{2}T[\d:.]+Z/);
    }
  },
);
