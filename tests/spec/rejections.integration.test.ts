import { beforeAll, expect, test, vi } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Owner, Cellar } from './client/owner.ts';
import { send } from './client/ingest.ts';
import { readingOf } from './client/reading.ts';

let owner: Owner;
let cellar: Cellar;

beforeAll(async () => {
  owner = await signIn();
  cellar = await owner.openCellar();
});

test('what was rejected shows beside the key, without the value that was sent', async () => {
  const { id, secret } = await cellar.createKey({ name: 'boiler house' });
  const secretText = 'a text that nobody but the sender should read';
  const body = JSON.stringify({ ...readingOf(cellar.name), value: secretText });
  expect((await send(body, { apiKey: secret })).status).toBe(400);

  const path = `/api/v1/cellars/${cellar.name}/rejections`;
  const shown = await vi.waitFor(
    async () => {
      const answer = await owner.ask('GET', path);
      expect(answer.body['rejections']).toMatchObject([
        { code: 'invalid_reading', field: 'value', count: 1, key: { id, name: 'boiler house' } },
      ]);
      return JSON.stringify(answer.body);
    },
    { timeout: 30_000, interval: 250 },
  );
  expect(shown).not.toContain(secretText);
  expect(shown).not.toContain(secret);
});
