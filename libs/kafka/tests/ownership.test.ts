import { setImmediate } from 'node:timers/promises';
import type { Consumer } from 'kafkajs';
import { expect, it, vi } from 'vitest';
import { createOwnership } from '../src/consumer/ownership.ts';
import type { StartOffsets } from '../src/consumer/ownership.ts';

const TOPIC = 't';

function owning() {
  const events: string[] = [];
  const questions: ((answer: StartOffsets) => void)[] = [];
  const show = (entries: { partitions: number[] }[]) =>
    entries.flatMap(({ partitions }) => partitions).join();
  const consumer = {
    pause: (entries: { partitions: number[] }[]) => events.push(`pause ${show(entries)}`),
    resume: (entries: { partitions: number[] }[]) => events.push(`resume ${show(entries)}`),
    seek: ({ partition, offset }: { partition: number; offset: string }) =>
      events.push(`seek ${partition} to ${offset}`),
  } as unknown as Consumer;
  const state = { handlers: Promise.resolve(), userPaused: new Set<number>() };
  const onFailed = vi.fn();
  const ownership = createOwnership({
    consumer,
    topic: TOPIC,
    handler: {
      onAssigned: ({ start }) => void events.push(`assigned ${[...start.keys()].join()}`),
      onRevoked: ({ start }) => void events.push(`revoked ${[...start.keys()].join()}`),
      onBatch: () => undefined,
    },
    findStart: () => new Promise((resolve) => questions.push(resolve)),
    mayFetch: (partition) => !state.userPaused.has(partition),
    handlersDone: () => state.handlers,
    onFailed,
  });
  /** Completes the latest request for start offsets. */
  const answer = async (start: Record<number, bigint>): Promise<void> => {
    await expect.poll(() => questions.length).toBeGreaterThan(0);
    const entries = Object.entries(start).map(([partition, offset]) => [Number(partition), offset] as const);
    questions.shift()?.({ start: new Map(entries), committed: new Map(entries) });
  };
  const happened = (list: string[]) => expect.poll(() => events).toEqual(list);
  const asked = () => expect.poll(() => questions).toHaveLength(1);
  return { ownership, answer, asked, happened, state, onFailed, events };
}

it('begins an assignment paused, at its offsets, and lets it run when the handler knows', async () => {
  const { ownership, answer, happened } = owning();

  ownership.takeOver([0, 1]);
  await happened(['pause 0,1']);
  expect(ownership.current()?.announced).toBe(false);
  await answer({ 0: 5n, 1: 7n });

  await happened(['pause 0,1', 'seek 0 to 5', 'seek 1 to 7', 'assigned 0,1', 'resume 0,1']);
  expect(ownership.current()?.positions).toEqual(
    new Map([
      [0, 5n],
      [1, 7n],
    ]),
  );
});

it('revokes the old assignment when its handlers have ended, before it announces the new one', async () => {
  const { ownership, answer, happened, state, events } = owning();
  ownership.takeOver([0]);
  await answer({ 0: 0n });
  await happened(['pause 0', 'seek 0 to 0', 'assigned 0', 'resume 0']);
  const first = ownership.current();
  const handlers = Promise.withResolvers<undefined>();
  state.handlers = handlers.promise;

  ownership.takeOver([1]);
  expect(first?.signal.aborted).toBe(true);
  await setImmediate();
  expect(events.at(-1)).toBe('pause 1');
  handlers.resolve(undefined);
  await answer({ 1: 9n });

  await happened([
    ...['pause 0', 'seek 0 to 0', 'assigned 0', 'resume 0'],
    ...['pause 1', 'revoked 0', 'seek 1 to 9', 'assigned 1', 'resume 1'],
  ]);
});

it('announces nothing that a later rebalance has superseded', async () => {
  const { ownership, answer, asked, happened } = owning();

  ownership.takeOver([0]);
  await asked();
  const overtaken = ownership.current();
  ownership.takeOver([1]);
  await answer({ 0: 0n });
  await answer({ 1: 0n });

  await happened(['pause 0', 'pause 1', 'seek 1 to 0', 'assigned 1', 'resume 1']);
  expect(overtaken?.announced).toBe(false);
});

it('leaves paused what the handler pauses immediately', async () => {
  const { ownership, answer, happened, state } = owning();
  state.userPaused.add(1);

  ownership.takeOver([0, 1]);
  await answer({ 0: 0n, 1: 0n });

  await happened(['pause 0,1', 'seek 0 to 0', 'seek 1 to 0', 'assigned 0,1', 'resume 0']);
});

it('revokes at the end', async () => {
  const { ownership, answer, happened, events } = owning();
  ownership.takeOver([0]);
  await answer({ 0: 0n });
  await happened(['pause 0', 'seek 0 to 0', 'assigned 0', 'resume 0']);

  await ownership.end();

  expect(events.at(-1)).toBe('revoked 0');
  expect(ownership.current()).toBeUndefined();
});
