import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { startDriver } from './driver.ts';
import type { Driver } from './driver.ts';
import { readingOf } from './scenario.ts';
import type { Scenario, Step } from './scenario.ts';
import { API_KEY, CLAIM_CODE, startScriptedServer } from './scripted-server.ts';
import type { ScriptedServer } from './scripted-server.ts';

const FOLDER = join(import.meta.dirname, '..', 'scenarios');
/** A server that is down is tried often, so that scenarios are fast. */
const OPTIONS = { cellar: 'c', retryMinMs: 10, retryMaxMs: 40, blockedMs: 50, lingerMs: 0 };
const PATIENCE = { timeout: 30_000, interval: 10 };

/**
 * Runs all scenarios.
 *
 * @param command starts the driver
 * @param without what the client lacks, of the `needs` of scenarios
 */
export function describeScenarios(
  client: string,
  command: readonly string[],
  { without = [] }: { without?: readonly string[] } = {},
): void {
  const scenarios = readdirSync(FOLDER).map(
    (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Scenario,
  );
  const possible = scenarios.filter(({ needs = [] }) => !needs.some((need) => without.includes(need)));
  describe(client, () => {
    test.concurrent.each(possible)(
      '$name',
      async (scenario) => {
        const folder = await mkdtemp(join(tmpdir(), 'cellarman-client-'));
        const server = await startScriptedServer();
        const run = createRun(scenario, join(folder, 'spool'), server, command);
        try {
          await run.open({});
          for (const [index, step] of scenario.steps.entries())
            await run.take(step).catch((error: unknown) => {
              throw new Error(`step ${index + 1}, ${JSON.stringify(step)}: ${String(error)}`, {
                cause: error,
              });
            });
        } finally {
          await run.end();
          await server.close();
          await rm(folder, { recursive: true });
        }
      },
      120_000,
    );
  });
}

function createRun(scenario: Scenario, spool: string, server: ScriptedServer, command: readonly string[]) {
  const drivers: Driver[] = [];
  let driver: Driver | undefined;

  async function call(message: object, error?: string): Promise<unknown> {
    const reply = await (driver as Driver).send(message);
    expect(reply.error, JSON.stringify(message)).toBe(error);
    return reply.ok;
  }

  async function open(options: object, error?: string): Promise<void> {
    const before = driver;
    driver = startDriver(command);
    drivers.push(driver);
    const all = { ...OPTIONS, ...scenario.options, ...options };
    const credentials = 'rack' in all ? { claimCode: CLAIM_CODE } : { apiKey: API_KEY };
    await call({ open: { url: server.url, spool, ...credentials, ...all } }, error);
    if (error !== undefined) driver = before;
  }

  async function take(step: Step): Promise<void> {
    if ('put' in step) {
      const { put, backfill, error } = step;
      await call({ put: put.map(readingOf), ...(backfill === true && { backfill }) }, error);
    } else if ('respond' in step) await server.respond(step.respond);
    else if ('status' in step)
      await vi.waitFor(async () => expect(await call({ status: true })).toMatchObject(step.status), PATIENCE);
    else if ('setAside' in step) {
      const rows = (await call({ setAside: true })) as { reading: object; code: string }[];
      const expected = Object.entries(step.setAside).map(([name, code]) => ({
        reading: readingOf(name),
        code,
      }));
      expect(rows).toHaveLength(expected.length);
      expect(rows).toEqual(
        expect.arrayContaining(expected.map((row) => expect.objectContaining(row) as object)),
      );
    } else if ('requeue' in step) expect(await call({ requeue: true })).toBe(step.requeue);
    else if ('clock' in step) await call(step);
    else if ('close' in step) {
      expect(await call({ close: step.close })).toEqual({ waiting: step.waiting });
      await driver?.kill();
    } else if ('kill' in step) await driver?.kill();
    else if ('open' in step) await open(step.open, step.error);
    else for (const file of [spool, `${spool}-wal`]) await writeFile(file, step.damage.repeat(1_000));
  }

  return {
    open,
    take,
    async end() {
      for (const each of drivers) await each.kill();
      // It holds a key. Only scenarios with a claim have it.
      const keyFile = await stat(`${spool}.key`).catch(() => undefined);
      expect(keyFile?.mode ?? 0o100600).toBe(0o100600);
    },
  };
}
