import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningRound } from '../round.ts';
import type { HarnessOptions } from '../harness.ts';
import { untilReady } from './processes.ts';

const command = promisify(execFile);
const FIRST_GROUP = 20_990;

/** For a harness: three brokers, each in a group of its own, by which the firewall knows its packets. Needs root. */
export const BROKERS_APART: HarnessOptions = {
  brokers: 3,
  brokersThrough: Object.fromEntries(
    [0, 1, 2].map((index) => [
      `kafka-${index + 1}`,
      ['setpriv', '--regid', String(FIRST_GROUP + index), '--clear-groups', '--'],
    ]),
  ),
};

/** Drops every packet from and to a broker while `meanwhile` runs, as when its cable is pulled. */
export async function whileCutOff(
  run: RunningRound,
  index: number,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const ports = await portsOf(run.harness.dataDir, index);
  const rules = [
    // Outgoing: its responses and its requests …
    ['OUTPUT', '-m', 'owner', '--gid-owner', String(FIRST_GROUP + index)],
    // … and incoming requests.
    ['INPUT', '-p', 'tcp', '-m', 'multiport', '--dports', ports.join(',')],
  ];
  run.say(`kafka-${index + 1} is cut off, ports ${ports.join(' and ')}`);
  try {
    for (const rule of rules) await command('iptables', ['-w', '-I', ...rule, '-j', 'DROP']);
    await meanwhile();
    if ((await droppedBy(FIRST_GROUP + index)) === 0)
      throw new Error('Nothing was dropped: the fault did not happen');
  } finally {
    for (const rule of rules)
      await command('iptables', ['-w', '-D', ...rule, '-j', 'DROP']).catch(() => undefined);
  }
  run.say(`kafka-${index + 1} is reachable again`);
  await untilReady(run.harness);
}

/** Of the broker and of the controller in it. */
async function portsOf(dataDir: string, index: number): Promise<string[]> {
  const settings = await readFile(join(dataDir, `kafka-${index + 1}`, 'server.properties'), 'utf8');
  const listeners = /^listeners=(.*)$/m.exec(settings)?.[1] ?? '';
  return [...listeners.matchAll(/:(\d+)/g)].map(([, port]) => port ?? '');
}

async function droppedBy(group: number): Promise<number> {
  const { stdout } = await command('iptables', ['-w', '-L', 'OUTPUT', '-n', '-v', '-x']);
  const line = stdout.split('\n').find((text) => text.includes(`owner GID match ${group}`)) ?? '';
  return Number(line.trim().split(/\s+/)[0] ?? 0);
}
