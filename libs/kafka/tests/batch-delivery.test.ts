import { setImmediate } from 'node:timers/promises';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import { describe, expect, it, vi } from 'vitest';
import { createBatchDelivery } from '../src/consumer/batch-delivery.ts';
import type { ConsumerHandler } from '../src/index.ts';
import type { Owned, Ownership } from '../src/consumer/ownership.ts';

const TOPIC = 't';
const silent = { debug() {}, info() {}, warn() {}, error() {} };

function ownedFrom(position: bigint): Owned {
  const controller = new AbortController();
  return {
    start: new Map([[0, position]]),
    positions: new Map([[0, position]]),
    committed: new Map(),
    controller,
    signal: controller.signal,
    announced: true,
  };
}

function delivering(onBatch: ConsumerHandler['onBatch'] = () => undefined, log = { low: 0n, high: 1_000n }) {
  const state = { owned: ownedFrom(100n), paused: false, log };
  const seek = vi.fn();
  const restoreCommitted = vi.fn(() => Promise.resolve());
  const onFailed = vi.fn();
  const handler = { onBatch: vi.fn(onBatch) };
  const ownership: Ownership = {
    current: () => state.owned,
    takeOver: () => undefined,
    abort: () => state.owned.controller.abort(),
    end: () => Promise.resolve(),
  };
  const delivery = createBatchDelivery({
    consumer: { seek } as unknown as Consumer,
    topic: TOPIC,
    handler,
    ownership: () => ownership,
    mayDeliver: () => !state.paused,
    heartbeatIntervalMs: 5,
    fetchBounds: () => Promise.resolve(new Map([[0, state.log]])),
    restoreCommitted,
    onFailed,
    logger: silent,
  });
  return { delivery, state, seek, restoreCommitted, onFailed, handler };
}

/** What kafkajs hands over for the records `from` to `to`, fetched at `fetched`. */
function payload(from: number, to: number, { fetched = from, heartbeat = () => Promise.resolve() } = {}) {
  const resolveOffset = vi.fn();
  const messages = Array.from({ length: to - from + 1 }, (_, i) => ({ offset: String(from + i) }));
  const batch = {
    topic: TOPIC,
    partition: 0,
    fetchedOffset: String(fetched),
    highWatermark: '1000',
    messages,
    lastOffset: () => String(to),
  };
  return { resolveOffset, given: { batch, resolveOffset, heartbeat } as unknown as EachBatchPayload };
}

describe('a batch', () => {
  it('that begins where the last one ended is delivered, and the position moves past it', async () => {
    const { delivery, handler, state } = delivering();
    const { given, resolveOffset } = payload(100, 149);

    await delivery.eachBatch(given);

    expect(handler.onBatch).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ partition: 0, firstOffset: 100n, nextOffset: 150n, highWatermark: 1_000n }),
      state.owned,
    );
    expect(resolveOffset).toHaveBeenCalledExactlyOnceWith('149');
    expect(state.owned.positions.get(0)).toBe(150n);
  });

  it('that was fetched before a rebalance is not delivered, and the position is set right', async () => {
    const { delivery, handler, seek } = delivering();
    const { given, resolveOffset } = payload(200, 249);

    await delivery.eachBatch(given);

    expect(handler.onBatch).not.toHaveBeenCalled();
    expect(resolveOffset).not.toHaveBeenCalled();
    expect(seek).toHaveBeenCalledExactlyOnceWith({ topic: TOPIC, partition: 0, offset: '100' });
  });

  it('whose handler outlives its assignment does not move the position of the next one', async () => {
    const { delivery, state } = delivering(() => {
      state.owned = ownedFrom(100n);
    });
    const { given, resolveOffset } = payload(100, 149);

    await delivery.eachBatch(given);

    expect(resolveOffset).not.toHaveBeenCalled();
    expect(state.owned.positions.get(0)).toBe(100n);
  });

  it.each([
    ['before its assignment is announced', (state: { owned: Owned }) => (state.owned.announced = false)],
    ['of a partition that is paused', (state: { paused: boolean }) => (state.paused = true)],
    ['of a partition that is not ours', (state: { owned: Owned }) => state.owned.positions.clear()],
  ])('%s is left to be fetched again', async (_, change) => {
    const { delivery, state, handler } = delivering();
    change(state);
    const { given, resolveOffset } = payload(100, 149);

    await delivery.eachBatch(given);

    expect(handler.onBatch).not.toHaveBeenCalled();
    expect(resolveOffset).not.toHaveBeenCalled();
  });

  it('from elsewhere, because the log lost what came next, ends the consumer and keeps the committed offset', async () => {
    const { delivery, handler, seek, restoreCommitted, onFailed } = delivering(undefined, {
      low: 140n,
      high: 150n,
    });
    const { given } = payload(140, 149);

    await expect(delivery.eachBatch(given)).rejects.toMatchObject({
      code: 'offset_out_of_range',
      retriable: false,
    });
    expect(handler.onBatch).not.toHaveBeenCalled();
    expect(seek).not.toHaveBeenCalled();
    expect(restoreCommitted).toHaveBeenCalledExactlyOnceWith(0);
    expect(onFailed).toHaveBeenCalledOnce();
  });

  it('from elsewhere, while a new leader reports an end that is too low, ends nothing', async () => {
    const { delivery, state, seek, onFailed } = delivering(undefined, { low: 0n, high: 90n });

    const delivered = delivery.eachBatch(payload(0, 49).given);
    await setImmediate();
    state.log = { low: 0n, high: 100n };
    await delivered;

    expect(onFailed).not.toHaveBeenCalled();
    expect(seek).toHaveBeenCalledExactlyOnceWith({ topic: TOPIC, partition: 0, offset: '100' });
  });

  it('from elsewhere, because the topic was recreated, ends the consumer', async () => {
    const { delivery } = delivering(undefined, { low: 0n, high: 50n });

    await expect(delivery.eachBatch(payload(0, 49).given)).rejects.toMatchObject({
      code: 'offset_out_of_range',
      message: expect.stringContaining('recreated') as string,
    });
  });

  it('whose handler fails ends the consumer', async () => {
    const cause = new Error('bad');
    const { delivery, onFailed } = delivering(() => Promise.reject(cause));

    await expect(delivery.eachBatch(payload(100, 149).given)).rejects.toMatchObject({
      code: 'handler_failed',
      retriable: false,
      cause,
    });
    expect(onFailed).toHaveBeenCalledOnce();
  });

  it('is given up when the group rebalances: kafkajs gets its error back and joins again', async () => {
    const over = Object.assign(new Error('rejoin'), { type: 'REBALANCE_IN_PROGRESS' });
    const { delivery, onFailed } = delivering(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('told to stop')));
        }),
    );
    const { given, resolveOffset } = payload(100, 149, { heartbeat: () => Promise.reject(over) });

    await expect(delivery.eachBatch(given)).rejects.toBe(over);
    expect(resolveOffset).not.toHaveBeenCalled();
    expect(onFailed).not.toHaveBeenCalled();
  });
});

describe('records that are for nobody', () => {
  it('move the position', async () => {
    const { delivery, handler } = delivering();

    delivery.skipped(0, 100n, 100n);
    await delivery.eachBatch(payload(101, 149).given);

    expect(handler.onBatch).toHaveBeenCalledOnce();
  });

  it('of an earlier place do not', () => {
    const { delivery, state } = delivering();

    delivery.skipped(0, 50n, 60n);

    expect(state.owned.positions.get(0)).toBe(100n);
  });

  it('do not hide that the log lost what came next', async () => {
    const { delivery, onFailed } = delivering(undefined, { low: 140n, high: 150n });

    delivery.skipped(0, 140n, 140n);

    await vi.waitFor(
      () => expect(onFailed).toHaveBeenCalledWith(expect.objectContaining({ code: 'offset_out_of_range' })),
      20_000,
    );
  });
});
