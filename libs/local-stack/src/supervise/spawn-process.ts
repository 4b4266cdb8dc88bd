import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { lastLines } from '../last-lines.ts';
import type { Exit, RunningProcess } from './startable.ts';
import { pollUntil } from './poll.ts';
import { StartError } from '../start-error.ts';

export interface ProcessPlan {
  name: string;
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The user to run as; only root can choose one. */
  user?: { uid: number; gid: number };
  logFile: string;
  /** True once it responds to the requests of clients; may throw before that. */
  answers: () => Promise<boolean>;
  /** What it takes for an orderly end. */
  stopSignal?: NodeJS.Signals;
  readyDeadlineMs?: number;
  stopDeadlineMs?: number;
}

/** Starts a program as a process of its own, with its output in a file. */
export async function spawnProcess(plan: ProcessPlan): Promise<RunningProcess> {
  mkdirSync(dirname(plan.logFile), { recursive: true });
  const log = openSync(plan.logFile, 'a');
  const child = spawn(plan.command, plan.args, {
    cwd: plan.cwd,
    env: plan.env,
    stdio: ['ignore', log, log],
    // A process group of its own: Ctrl-C reaches only the supervisor, which then stops all in order.
    detached: true,
    ...plan.user,
  });
  closeSync(log);

  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new StartError(`${plan.name} cannot be started with ${plan.command}: ${error.message}`)),
    );
  });
  let ended: Exit | undefined;
  void exited.then((exit) => (ended = exit));

  const pid = child.pid as number;
  return {
    pid,
    exited,
    kill: (signal) => void child.kill(signal),
    ready: async () => {
      const deadlineMs = plan.readyDeadlineMs ?? 60_000;
      let problem = 'it is not ready';
      const isReady = async (): Promise<boolean> => {
        try {
          return await plan.answers();
        } catch (error) {
          problem = describeProblem(error);
          return false;
        }
      };
      const answered = await pollUntil(() => ended !== undefined || isReady(), { deadlineMs });
      if (ended !== undefined) throw endedTooEarly(plan, ended);
      if (!answered) {
        throw new StartError(
          `${plan.name} (process ${pid}) did not become ready within ${deadlineMs / 1000} s (${problem}); its output is in ${plan.logFile}`,
        );
      }
    },
    stop: async () => {
      child.kill(plan.stopSignal ?? 'SIGTERM');
      if (!(await pollUntil(() => ended !== undefined, { deadlineMs: plan.stopDeadlineMs ?? 20_000 }))) {
        child.kill('SIGKILL');
      }
      await exited;
    },
  };
}

/** `fetch failed` says nothing; its cause does. */
function describeProblem(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

function endedTooEarly(plan: ProcessPlan, exit: Exit): StartError {
  const how = exit.signal === null ? `exit code ${exit.code ?? 'unknown'}` : exit.signal;
  return new StartError(
    `${plan.name} ended (${how}) before it was ready; in ${plan.logFile}:\n${lastLines(readFileSync(plan.logFile, 'utf8'))}`,
  );
}
