import { once } from 'node:events';
import { connect } from 'node:net';
import type { RunningRound } from '../round.ts';

/** FLUSHALL, as an operator types it by mistake. */
export async function emptyRedis(run: RunningRound): Promise<void> {
  const { redisUrl } = run.harness.product.run();
  const before = Number((await ask(redisUrl, 'DBSIZE')).slice(1));
  if (!(before > 0)) throw new Error('Redis was empty already: the fault could not happen');
  run.say(`FLUSHALL of ${before} entries`);
  const answer = await ask(redisUrl, 'FLUSHALL');
  if (answer !== '+OK') throw new Error(`Redis answered ${answer}`);
}

/** Sends one command and returns its one-line response. */
async function ask(url: string, command: string): Promise<string> {
  const { hostname, port, password } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    socket.write(`AUTH ${password}\r\n`);
    await once(socket, 'data');
    socket.write(`${command}\r\n`);
    const [line] = (await once(socket, 'data')) as [Buffer];
    return line.toString().trim();
  } finally {
    socket.destroy();
  }
}
