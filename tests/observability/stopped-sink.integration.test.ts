import { expect, inject, test, vi } from 'vitest';
import { send } from '../spec/client/ingest.ts';
import { signIn } from '../spec/client/owner.ts';
import { readingOf } from '../spec/client/reading.ts';

/** The least that a rule accepts. */
const SILENT_SECONDS = 60;
const DEADLINE = { timeout: 150_000, interval: 2_000 };

interface Rule {
  pending: number;
  firing: number;
  problem: string | null;
  evaluatedAt: string | null;
}

test('a stopped sink makes no rack silent', { timeout: 400_000 }, async () => {
  const sinks = inject('product').processes['sink'] ?? [];
  const owner = await signIn();
  const cellar = await owner.openCellar();
  const { secret } = await cellar.createKey();
  const path = `/api/v1/cellars/${cellar.name}`;
  const sendReading = async () => {
    const reading = JSON.stringify(readingOf(cellar.name, { rack: 'r' }));
    expect(await send(reading, { apiKey: secret })).toMatchObject({ status: 200 });
  };
  const racks = async () =>
    (await owner.ask('GET', `/api/v1/query/cellars/${cellar.name}/racks`)).body['racks'];
  const rule = async () => {
    const { body } = await owner.ask('GET', `${path}/alert-rules`);
    return (body['rules'] as Rule[])[0];
  };
  const fired = async () => (await owner.ask('GET', `${path}/alerts?state=fired`)).body['alerts'];

  await sendReading();
  await vi.waitFor(async () => expect(await racks()).toHaveLength(1), DEADLINE);
  const created = await owner.ask('POST', `${path}/alert-rules`, {
    ...{ name: 'silent', destinations: [] },
    condition: {
      ...{ kind: 'rack_silent', rack: null, rackPrefix: null },
      ...{ silentForSeconds: SILENT_SECONDS, forgetAfterSeconds: 86_400 },
    },
  });
  expect(created.status).toBe(201);
  const stoppedAt = Date.now();
  try {
    for (const pid of sinks) process.kill(pid, 'SIGSTOP');
    // Evaluated when the last stored reading is older than the rule allows.
    await vi.waitFor(async () => {
      await sendReading();
      const { problem, evaluatedAt } = (await rule()) ?? {};
      expect(problem).toBe('Sink does not report: received readings may not be stored yet');
      expect(Date.parse(evaluatedAt ?? '')).toBeGreaterThan(stoppedAt + (SILENT_SECONDS + 5) * 1_000);
    }, DEADLINE);
  } finally {
    for (const pid of sinks) process.kill(pid, 'SIGCONT');
  }
  await vi.waitFor(
    async () => expect(await rule()).toMatchObject({ problem: null, pending: 0, firing: 0 }),
    DEADLINE,
  );
  expect(await fired()).toEqual([]);
});
