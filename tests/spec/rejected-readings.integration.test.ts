import { ERROR_CODES } from '@cellarman/contracts';
import { beforeAll, expect, test } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Cellar } from './client/owner.ts';
import { send } from './client/ingest.ts';
import { readingOf } from './client/reading.ts';
import { waitForReadings } from './client/stored-readings.ts';
import { requirement } from './requirements/requirement.ts';

/** One device sends everything, so that its readings keep their order on the way to the view. */
const RACK = 'rejected';
let cellar: Cellar;
let apiKey: string;

beforeAll(async () => {
  cellar = await (await signIn()).openCellar();
  apiKey = (await cellar.createKey()).secret;
});

const good = () => readingOf(cellar.name, { rack: RACK });

/** A good reading with the text of one value replaced, by what no JavaScript value can say. */
function withRaw(field: string, raw: string): string {
  return JSON.stringify({ ...good(), [field]: '\u0001' }).replace('"\\u0001"', raw);
}

async function expectRejection(body: string | Buffer, code: string, field?: string): Promise<void> {
  const answer = await send(body, { apiKey });
  expect(answer).toMatchObject({
    status: 400,
    body: { status: 'error', error: expect.any(String) as string, code },
  });
  expect(Object.keys(answer.body).sort()).toEqual(['code', 'error', 'status']);
  if (field !== undefined) expect(answer.body['error']).toContain(`"${field}"`);
}

test(
  requirement(
    ['error.status', 'error.error', 'error.code', 'errors.other', 'code.invalid_json'],
    'what is not JSON is rejected',
  ),
  async () => {
    for (const body of ['', '{', 'cellar=demo', `${JSON.stringify(good())}}`, '{"cellar":"demo",}']) {
      await expectRejection(body, 'invalid_json');
    }
  },
);

test(requirement('errors.codes', 'a code is one of the catalogue'), async () => {
  const { body } = await send('{}', { apiKey });
  expect(ERROR_CODES).toContain(body['code']);
});

test(
  requirement(
    ['reading.required', 'errors.missing-field', 'code.invalid_reading'],
    'each of the five fields is required',
  ),
  async () => {
    for (const field of ['cellar', 'rack', 'keg', 'value', 'timestamp']) {
      await expectRejection(JSON.stringify({ ...good(), [field]: undefined }), 'invalid_reading', field);
    }
  },
);

test(
  requirement(
    [
      'errors.wrong-type',
      'reading.cellar',
      'reading.rack',
      'reading.keg',
      'reading.value',
      'reading.timestamp',
    ],
    'a value of another type is rejected, not converted',
  ),
  async () => {
    for (const raw of ['"7"', 'null', 'true', '[5]', '{}'])
      await expectRejection(withRaw('value', raw), 'invalid_reading', 'value');
    for (const field of ['cellar', 'rack', 'keg', 'timestamp']) {
      for (const raw of ['7', 'null', 'false', '["a"]'])
        await expectRejection(withRaw(field, raw), 'invalid_reading', field);
    }
  },
);

test(requirement('errors.bad-timestamp', 'a timestamp that is none is rejected by its name'), async () => {
  await expectRejection(withRaw('timestamp', '"yesterday"'), 'invalid_reading', 'timestamp');
});

test(requirement('reading.limits', 'names have their lengths and characters'), async () => {
  for (const raw of ['""', `"${'c'.repeat(65)}"`, '".a"', '"a b"', '"ä"']) {
    await expectRejection(withRaw('cellar', raw), 'invalid_reading', 'cellar');
  }
  for (const field of ['rack', 'keg']) {
    for (const raw of ['""', `"${'🍺'.repeat(257)}"`, '"a\\u0000"', '"\\n"', '"\u007f"']) {
      await expectRejection(withRaw(field, raw), 'invalid_reading', field);
    }
    const longest = { ...readingOf(cellar.name), [field]: '🍺'.repeat(256) };
    expect((await send(JSON.stringify(longest), { apiKey })).status).toBe(200);
  }
});

test(
  requirement('answers.nothing-changed', 'what could only be stored changed is rejected by the field'),
  async () => {
    for (const raw of ['9007199254740993', '1e400', '-1e-400'])
      await expectRejection(withRaw('value', raw), 'invalid_reading', 'value');
    const text = JSON.stringify(good());
    await expectRejection(text.replace('}', `,"rack":"${RACK}"}`), 'invalid_reading', 'rack');
    await expectRejection(text.replace('}', ',"unit":"C"}'), 'invalid_reading', 'unit');
    await expectRejection(withRaw('keg', '"\\ud83d"'), 'invalid_reading', 'keg');
    await expectRejection(`\ufeff${text}`, 'invalid_json');
    await expectRejection(Buffer.from(text.replace('temperature', 'wärme'), 'latin1'), 'invalid_json', 'keg');
  },
);

test(requirement('answers.nothing-changed', 'nothing that was rejected is in the view'), async () => {
  const last = { ...good(), value: 42 };
  expect((await send(JSON.stringify(last), { apiKey })).status).toBe(200);
  // Two long names were taken on purpose.
  const stored = await waitForReadings(cellar.name, 3);
  expect(stored.filter(({ rack }) => rack === RACK)).toEqual([expect.objectContaining({ value: 42 })]);
});

test(
  requirement(
    ['answers.one-row', 'errors.retry'],
    'the same reading sent again is one row, another value is a second',
  ),
  async () => {
    const own = await (await signIn()).openCellar();
    const { secret } = await own.createKey();
    const reading = readingOf(own.name, { value: 1 });
    const sendOne = async (sent: object) =>
      expect((await send(JSON.stringify(sent), { apiKey: secret })).status).toBe(200);
    await sendOne(reading);
    // Stored already when it comes again, so that not only one insert sees both.
    await waitForReadings(own.name, 1);
    for (const sent of [reading, { ...reading, value: 2 }, reading]) await sendOne(sent);
    await sendOne({ ...reading, keg: 'last' });
    const stored = await waitForReadings(own.name, 3);
    expect(stored.map(({ keg, value }) => [keg, value]).sort()).toEqual([
      ['last', 1],
      ['temperature', 1],
      ['temperature', 2],
    ]);
  },
);
