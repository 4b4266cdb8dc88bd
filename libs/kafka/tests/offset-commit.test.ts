import { expect, it, vi } from 'vitest';
import { commitOffsets } from '../src/consumer/offset-commit.ts';
import type { CommitNow } from '../src/consumer/offset-commit.ts';
import type { Owned } from '../src/consumer/ownership.ts';

function owned(position: bigint): Owned {
  const controller = new AbortController();
  return {
    start: new Map(),
    positions: new Map([[0, position]]),
    committed: new Map(),
    controller,
    signal: controller.signal,
    announced: true,
  };
}

function committing(commitNow: CommitNow | undefined, mine = owned(10n)) {
  const state: { current: Owned | undefined } = { current: mine };
  const done = commitOffsets({
    topic: 't',
    nextOffsets: new Map([[0, 10n]]),
    commitNow,
    current: () => state.current,
  });
  done.catch(() => undefined);
  return { done, state, mine };
}

const lost = () => Promise.reject(new Error('connection lost'));
const kafkaError = (type: string) => () => Promise.reject(Object.assign(new Error(type), { type }));

it('commits the offset to read next', async () => {
  const commitNow = vi.fn<CommitNow>(() => Promise.resolve());
  const { done, mine } = committing(commitNow);

  await done;

  expect(commitNow).toHaveBeenCalledExactlyOnceWith({
    topics: [{ topic: 't', partitions: [{ partition: 0, offset: '10' }] }],
  });
  expect(mine.committed.get(0)).toBe(10n);
});

it('tries again after a lost connection', async () => {
  const commitNow = vi.fn<CommitNow>().mockImplementationOnce(lost).mockResolvedValue(undefined);
  const { done } = committing(commitNow);

  await expect(done).resolves.toBeUndefined();
  expect(commitNow).toHaveBeenCalledTimes(2);
});

it('gives up in the end', async () => {
  const { done, mine } = committing(lost);

  await expect(done).rejects.toMatchObject({ code: 'commit_failed' });
  expect(mine.committed.size).toBe(0);
});

it.each(['ILLEGAL_GENERATION', 'REBALANCE_IN_PROGRESS', 'UNKNOWN_MEMBER_ID'])(
  'does not try again after %s, which means that the partitions are gone',
  async (type) => {
    const commitNow = vi.fn<CommitNow>(kafkaError(type));

    await expect(committing(commitNow).done).rejects.toMatchObject({ code: 'not_assigned' });
    expect(commitNow).toHaveBeenCalledOnce();
  },
);

it('does not try again under the generation of another assignment', async () => {
  const commitNow = vi.fn<CommitNow>(lost);
  const { done, state } = committing(commitNow);
  await vi.waitFor(() => expect(commitNow).toHaveBeenCalledOnce(), 20_000);
  state.current = owned(10n);

  await expect(done).rejects.toMatchObject({ code: 'not_assigned' });
  expect(commitNow).toHaveBeenCalledOnce();
});

it('rejects what was not delivered yet', async () => {
  await expect(committing(() => Promise.resolve(), owned(9n)).done).rejects.toThrow(RangeError);
});

it('rejects before anything was delivered', async () => {
  await expect(committing(undefined).done).rejects.toMatchObject({ code: 'not_assigned' });
});
