/** The driver for the scenarios: commands on stdin, replies on stdout; see clients/conformance/README.md. */
import { createInterface } from 'node:readline';
import { ClientError, openClient } from '@cellarman/client';
import type { Client, ClientOptions, Reading } from '@cellarman/client';

type Command =
  | { open: ClientOptions }
  | { put: Reading[]; backfill?: boolean }
  | { status: true }
  | { setAside: true }
  | { requeue: true }
  | { clock: string | null }
  | { close: number };

let client: Client;
let clock: string | null = null;
const now = () => (clock === null ? Date.now() : Date.parse(clock));

async function execute(command: Command): Promise<unknown> {
  if ('open' in command) {
    client = await openClient({ ...command.open, now, onProblem: () => undefined });
    return true;
  }
  if ('put' in command) {
    const { put, backfill } = command;
    await client.put(put, backfill === undefined ? {} : { backfill });
    return put.length;
  }
  if ('status' in command) return client.status();
  if ('setAside' in command) return client.setAside();
  if ('requeue' in command) return client.requeue();
  if ('close' in command) return client.close(command.close);
  clock = command.clock;
  return true;
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await execute(JSON.parse(line) as Command).then(
    (ok) => ({ ok }),
    (error: unknown) => ({ error: error instanceof ClientError ? error.code : String(error) }),
  );
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
process.exit();
