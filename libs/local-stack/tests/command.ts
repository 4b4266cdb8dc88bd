import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ENGINES = fileURLToPath(new URL('../src/engines.ts', import.meta.url));

export interface CommandEnd {
  exitCode: number | null;
  stderr: string;
}

/** Runs a command of the local stack to its end, with some variables of the environment changed. */
export function runToEnd(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandEnd> {
  const main = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main, ...args],
      { env: { ...process.env, ...env } },
      (_, __, stderr) => resolve({ exitCode: child.exitCode, stderr }),
    );
  });
}

/** Starts the four engines by the command that users run. Resolves when they run. */
export async function startEnginesCommand(dataDir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [ENGINES, '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    output += String(chunk);
    if (output.includes('clickhouseUrl')) break;
  }
  return child;
}
