import { until } from '@cellarman/local-stack';
import type { ProxyState } from '@cellarman/local-stack';
import type { RunningRound } from '../round.ts';
import type { Proxied } from '../harness.ts';
import { untilReady } from './processes.ts';

/** Troubles the way to a process while `meanwhile` runs. */
export async function whileTroubled(
  run: RunningRound,
  name: Proxied,
  state: ProxyState,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const proxy = run.harness.proxy(name);
  const before = proxy.affected();
  run.say(`the way to ${name} is ${state.kind}`);
  proxy.set(state);
  try {
    await until(`a connection to ${name} is affected`, () => proxy.affected() > before);
    await meanwhile();
  } finally {
    proxy.set({ kind: 'open' });
  }
  await untilReady(run.harness);
}
