/** A CPU profile as V8 writes it. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
  samples: number[];
  /** Microseconds between the samples. */
  timeDeltas: number[];
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

/** Fine enough for a run of some seconds. */
const INTERVAL_MICROSECONDS = 250;
/** Where Node's inspector listens after SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229';
const INSPECTOR_WAIT_MS = 10_000;

/** Profiles a Node process that runs, without a restart: SIGUSR1 opens its inspector. */
export async function recordCpuProfile(pid: number, seconds: number): Promise<CpuProfile> {
  if (await inspectorOf().then(Boolean, () => false))
    throw new Error(`${INSPECTOR} answers already: another process is being inspected`);
  process.kill(pid, 'SIGUSR1');
  const session = await openSession(await waitForInspector());
  await session.ask('Profiler.enable');
  await session.ask('Profiler.setSamplingInterval', { interval: INTERVAL_MICROSECONDS });
  await session.ask('Profiler.start');
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const { profile } = (await session.ask('Profiler.stop')) as { profile: CpuProfile };
  // Closes the inspector's port again.
  await session.ask(
    'Runtime.evaluate',
    {
      expression: "process.getBuiltinModule('node:inspector').close()",
    },
    { isLast: true },
  );
  session.close();
  return profile;
}

async function inspectorOf(): Promise<string> {
  const answer = await fetch(`${INSPECTOR}/json/list`, { signal: AbortSignal.timeout(1_000) });
  const [first] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  if (first === undefined) throw new Error('The inspector lists no target');
  return first.webSocketDebuggerUrl;
}

async function waitForInspector(): Promise<string> {
  const deadline = performance.now() + INSPECTOR_WAIT_MS;
  for (;;) {
    try {
      return await inspectorOf();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function openSession(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as {
      id?: number;
      result?: unknown;
      error?: { message: string };
    };
    const question = open.get(id ?? 0);
    if (error === undefined) question?.resolve(result);
    else question?.reject(new Error(error.message));
  });
  return {
    /** @param isLast the process closes the connection instead of answering */
    ask(method: string, params: object = {}, { isLast = false } = {}): Promise<unknown> {
      const question = Promise.withResolvers<unknown>();
      const id = ++lastId;
      open.set(id, question);
      socket.send(JSON.stringify({ id, method, params }));
      if (isLast) socket.addEventListener('close', () => question.resolve(undefined), { once: true });
      return question.promise;
    },
    close: () => socket.close(),
  };
}
