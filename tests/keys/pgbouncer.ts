import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unusedPorts } from '../../libs/local-stack/src/ports.ts';
import { vi } from 'vitest';

/** Of the Debian package. */
const PROGRAM = '/usr/sbin/pgbouncer';
export const hasPgbouncer = existsSync(PROGRAM);

/** PgBouncer in transaction mode, with the settings of docs/deployment.md, in front of a database. */
export async function startPgbouncer(
  databaseUrl: string,
  poolSize: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const target = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-pgbouncer-'));
  const [port = 0] = await unusedPorts(1);
  const name = target.pathname.slice(1);
  await writeFile(join(directory, 'users.txt'), `"${target.username}" ""\n`);
  await writeFile(
    join(directory, 'pgbouncer.ini'),
    `[databases]
${name} = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${directory}/users.txt
pool_mode = transaction
default_pool_size = ${poolSize}
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
`,
  );
  await chmod(directory, 0o755);
  // PgBouncer does not run as root.
  const program = [PROGRAM, join(directory, 'pgbouncer.ini')];
  const [command = '', ...args] =
    process.getuid?.() === 0 ? ['runuser', '-u', 'nobody', '--', ...program] : program;
  const child = spawn(command, args, { stdio: 'ignore' });
  const url = Object.assign(new URL(databaseUrl), { port: String(port), password: '' }).href;
  await vi.waitFor(() => connects(port), { timeout: 20_000 });
  return {
    url,
    async stop() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
      await rm(directory, { recursive: true });
    },
  };
}

async function connects(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
