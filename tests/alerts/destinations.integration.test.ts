import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually, startAlertHarness } from './alert-harness.ts';
import type { AlertHarness } from './alert-harness.ts';

const mails: { to: string[]; text: string }[] = [];
const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
    stream.on('end', () => {
      mails.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString(),
      });
      done();
    });
  },
});

let harness: AlertHarness;
let cellar: string;
beforeAll(async () => {
  const server = smtp.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  harness = await startAlertHarness({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    SMTP_FROM: 'alerts@example.com',
  });
});
afterAll(async () => {
  await harness.stop();
  await new Promise<void>((closed) => {
    smtp.close(closed);
  });
});
beforeEach(async () => {
  cellar = await harness.createCellar();
});

const path = () => `/api/v1/cellars/${cellar}/alert-destinations`;
const sendTest = (id: string) => harness.manage('POST', `${path()}/${id}/test`);
const latest = async () => (await harness.destinations(cellar))[0]?.latest;

test('a test that fails says why, and is not repeated', async () => {
  const { id } = await harness.createWebhook(cellar);
  harness.receiver.statuses = [500];
  expect((await sendTest(id)).status).toBe(204);
  await eventually(async () =>
    expect(await latest()).toMatchObject({
      ...{ state: 'failed', attempts: 1, error: 'The webhook returned HTTP 500' },
    }),
  );
});

test.each([
  ['http://127.0.0.2:1/', 'has an IP address that is not public'],
  ['http://169.254.169.254/latest/meta-data/', 'has an IP address that is not public'],
  ['http://[::ffff:10.0.0.1]/', 'has an IP address that is not public'],
  ['https://does-not-exist.invalid/', 'cannot be resolved'],
])('nothing is posted to %s', async (url, problem) => {
  const { id } = await harness.createWebhook(cellar, url);
  await sendTest(id);
  await eventually(async () =>
    expect(await latest()).toMatchObject({
      state: 'failed',
      error: expect.stringContaining(problem) as string,
    }),
  );
});

test('a redirect is not followed', async () => {
  const { id } = await harness.createWebhook(cellar);
  harness.receiver.statuses = [302];
  await sendTest(id);
  await eventually(async () => expect((await latest())?.error).toMatch(/HTTP 302/));
  expect(harness.receiver.received.filter((request) => request.path === '/elsewhere')).toEqual([]);
});

test('a notification that failed is sent again with its id', async () => {
  const { id } = await harness.createWebhook(cellar);
  const keyId = (
    await harness.createKey(cellar, { expiresAt: new Date(Date.now() + 86_400_000).toISOString() })
  ).id;
  await harness.internal('POST', '/internal/v1/keys/last-used', {
    uses: [{ id: keyId, at: new Date().toISOString() }],
  });
  harness.receiver.statuses = [503];
  await harness.createRule(cellar, { kind: 'key_expires', withinDays: 7 }, [id]);
  const sent = () => harness.receiver.received.filter((request) => request.path === `/${cellar}`);
  await eventually(async () => expect(sent()).toHaveLength(2));
  expect(sent()[0]).toEqual(sent()[1]);
  await eventually(async () => expect(await latest()).toMatchObject({ state: 'delivered', attempts: 2 }));
});

test('what waits for a URL that was wrong goes to the new one, with the same secret', async () => {
  const wrong = 'https://does-not-exist.invalid/';
  const { id, secret } = await harness.createWebhook(cellar, wrong);
  harness.receiver.secret = secret;
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const key = await harness.createKey(cellar, { expiresAt: soon });
  await harness.internal('POST', '/internal/v1/keys/last-used', {
    uses: [{ id: key.id, at: new Date().toISOString() }],
  });
  await harness.createRule(cellar, { kind: 'key_expires', withinDays: 7 }, [id]);
  await eventually(async () => expect(await latest()).toMatchObject({ state: 'waiting', attempts: 1 }));

  const url = `${harness.receiver.url}/corrected-${cellar}`;
  const changed = await harness.manage('PATCH', `${path()}/${id}`, { url });
  expect(changed).toMatchObject({
    ...{ status: 200, body: { id, name: 'on call', target: harness.receiver.url } },
  });
  await eventually(async () => expect(await latest()).toMatchObject({ state: 'delivered' }));
  harness.receiver.secret = undefined;
  expect(harness.receiver.received.map((request) => request.path)).toContain(`/corrected-${cellar}`);
  const audit = await harness.manage<{ entries: object[] }>('GET', `/api/v1/cellars/${cellar}/audit?limit=1`);
  expect(audit.body.entries).toMatchObject([
    {
      action: 'alert_destination.changed',
      details: {
        before: { target: 'https://does-not-exist.invalid' },
        after: { target: harness.receiver.url },
        url: 'replaced',
      },
    },
  ]);
  expect(audit.text).not.toContain('corrected');
});

test('only the name and what its kind has can be changed', async () => {
  const { id } = await harness.createWebhook(cellar);
  const change = (body: object, of = cellar) =>
    harness.manage('PATCH', `/api/v1/cellars/${of}/alert-destinations/${id}`, body);
  expect(await change({ name: 'night shift' })).toMatchObject({
    ...{ status: 200, body: { name: 'night shift', target: harness.receiver.url } },
  });
  for (const body of [{}, { recipients: ['a@example.com'] }, { kind: 'email' }, { url: 'ftp://x' }]) {
    expect(await change(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  }
  expect(await change({ name: 'x' }, await harness.createCellar())).toMatchObject({ status: 404 });
});

test('email reaches its recipients, with the id of the notification', async () => {
  const created = await harness.manage<{ destination: { id: string }; secret: null }>('POST', path(), {
    ...{ kind: 'email', name: 'brewers', recipients: ['a@example.com', 'b@example.com'] },
  });
  expect(created).toMatchObject({ status: 201, body: { secret: null } });
  await sendTest(created.body.destination.id);
  await eventually(async () => expect(await latest()).toMatchObject({ state: 'delivered' }));
  expect(mails).toMatchObject([{ to: ['a@example.com', 'b@example.com'] }]);
  expect(mails[0]?.text).toMatch(/^Message-ID: <[0-9a-f-]{36}@example.com>/m);
  expect(mails[0]?.text).toContain(`cellar ${cellar}`);
});

test('the URL and the secret are in no list and no audit entry', async () => {
  const { id, secret } = await harness.createWebhook(cellar, 'https://hooks.example.invalid/T0/B0/token');
  const texts = await Promise.all(
    [path(), `/api/v1/cellars/${cellar}/audit`].map(async (each) => (await harness.manage('GET', each)).text),
  );
  expect(texts.join()).toContain('https://hooks.example.invalid');
  expect(texts.join()).not.toContain('/T0/B0');
  expect(texts.join()).not.toContain(secret);
  expect((await harness.manage('DELETE', `${path()}/${id}`)).status).toBe(204);
  expect(await harness.destinations(cellar)).toEqual([]);
});
