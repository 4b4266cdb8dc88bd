import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '@cellarman/local-stack';
import type { Course } from './course.ts';

export interface GatewayProcess {
  url: string;
  env: Record<string, string>;
}

const MAIN = join(import.meta.dirname, '../../../services/gateway/src/main.ts');
const PATIENCE = { deadlineMs: 600_000, everyMs: 200 };

/**
 * One gateway after another on one spool. All but the last are killed. One that ends by itself, because the disk is full, is
 * started again, as systemd does.
 *
 * @param devices end before the last gateway, which then has to send the rest
 */
export async function runGateway(
  course: Course,
  gateway: GatewayProcess,
  devices: Promise<unknown>,
): Promise<void> {
  for (let kill = 0; kill <= course.kills;) {
    const child = spawn(process.execPath, [MAIN], {
      env: { ...process.env, ...gateway.env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = once(child, 'exit').then(() => 'exited');
    const isLast = kill === course.kills;
    try {
      const life = isLast ? devices : live(course, gateway.url);
      if ((await Promise.race([exited, life])) === 'exited') {
        if (!course.isDiskFull) throw new Error('The gateway ended');
        await course.pause(1_000);
        continue;
      }
      if (isLast) await until('the gateway has sent all', () => isEmpty(gateway.url, child), PATIENCE);
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
    course.killsLeft -= isLast ? 0 : 1;
    kill += 1;
  }
}

/** From when it serves: on a busy machine, it would else be killed before it has acknowledged anything. */
async function live(course: Course, url: string): Promise<void> {
  const isServing = async (): Promise<boolean> => {
    const response = await fetch(`${url}/livez`).catch(() => undefined);
    return response?.ok === true || course.stop.signal.aborted;
  };
  await until('the gateway serves', isServing, PATIENCE);
  await course.pause(randomInt(...course.lifeMs));
}

async function isEmpty(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error('The gateway ended');
  const response = await fetch(`${url}/metrics`).catch(() => undefined);
  return /^cellarman_gateway_waiting_readings(\{.*\})? 0$/m.test((await response?.text()) ?? '');
}
