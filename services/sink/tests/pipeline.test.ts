import type { ConsumedMessage } from '@cellarman/kafka';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../src/batch/batch.ts';
import { createLineBuffers } from '../src/batch/line-buffers.ts';
import { createPipeline } from '../src/consume/pipeline.ts';
import type { PipelineLimits } from '../src/consume/pipeline.ts';
import { createStreak, SchemaFault } from '../src/batch/bad-row-streak.ts';
import { readingLine } from '../../../libs/reading/tests/reading-line.ts';

function message(offset: number, value = readingLine({ value: String(offset) })): ConsumedMessage {
  return {
    key: Buffer.from('demo/boiler-house-2'),
    value: Buffer.from(value),
    headers: { 'schema-version': Buffer.from('1') },
    offset: String(offset),
    timestamp: '0',
  };
}

const messages = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => message(first + index));

/** A pipeline whose batches are stored when the test says so. */
function startPipeline(limits: Partial<PipelineLimits> = {}, maxBadInARow = 0) {
  const stored: { batch: Batch; lines: string[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const commits: [number, number][] = [];
  const faults: unknown[] = [];
  const end = new AbortController();
  const pipeline = createPipeline({
    limits: {
      maxRows: 10,
      maxBytes: 1_000_000,
      minIntervalMs: 0,
      maxIntervalMs: limits.minIntervalMs ?? 0,
      backlogIntervalMs: 0,
      maxInFlight: 2,
      ...limits,
    },
    buffers: createLineBuffers(3),
    store: (batch) =>
      new Promise((resolve, reject) => {
        const lines = batch.lines().toString().split('\n').slice(0, -1);
        stored.push({ batch, lines, finish: () => resolve(undefined), fail: reject });
      }),
    commit: (offsets) => commits.push(...offsets),
    onFatal: (error) => faults.push(error),
    streak: createStreak(maxBadInARow),
    signal: end.signal,
  });
  return { pipeline, stored, commits, faults, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the pipeline', () => {
  it('hands on what it has immediately when nothing is under way', async () => {
    const { pipeline, stored } = startPipeline({ minIntervalMs: 60_000 });
    void pipeline.take(0, messages(0, 3));
    expect(stored.map(({ lines }) => lines)).toEqual([
      [0, 1, 2].map((value) => readingLine({ value: String(value) })),
    ]);
  });

  it('then waits for the interval, so that small inserts do not pile up', async () => {
    const { pipeline, stored } = startPipeline({ minIntervalMs: 30 });
    void pipeline.take(0, messages(0, 1));
    void pipeline.take(0, messages(1, 2));
    void pipeline.take(1, messages(0, 1));
    expect(stored).toHaveLength(1);
    await expect.poll(() => stored).toHaveLength(2);
    expect(stored[1]?.lines).toHaveLength(3);
  });

  it('makes its source wait until shortly before the next insert, but not while messages are behind', async () => {
    const { pipeline, stored } = startPipeline({ minIntervalMs: 60_000 });
    let isTaken = false;
    await pipeline.take(0, messages(0, 1), 1);
    const taking = pipeline.take(0, messages(1, 1)).then(() => (isTaken = true));
    await settle();
    expect(isTaken).toBe(false);
    const flushed = pipeline.flush();
    await taking;
    for (const { finish } of stored) finish();
    await flushed;
    expect(stored.map(({ lines }) => lines.length)).toEqual([1, 1]);
  });

  it('does not wait when a batch is full', async () => {
    const { pipeline, stored } = startPipeline({ minIntervalMs: 60_000, maxRows: 10 });
    void pipeline.take(0, messages(0, 1));
    void pipeline.take(0, messages(1, 10));
    expect(stored.map(({ lines }) => lines.length)).toEqual([1, 10]);
  });

  it('closes a batch by bytes', async () => {
    const { pipeline, stored } = startPipeline({ maxBytes: 1_000, maxInFlight: 5 });
    await pipeline.take(0, messages(0, 20));
    expect(stored[0]?.batch.byteLength).toBeGreaterThanOrEqual(1_000);
    expect(stored[0]?.batch.byteLength).toBeLessThan(1_300);
  });

  it('counts the bytes of bad messages too, so that they cannot fill the memory', async () => {
    const { pipeline, stored } = startPipeline({ maxBytes: 1_000, maxInFlight: 5 });
    await pipeline.take(
      0,
      [0, 1, 2, 3].map((offset) => message(offset, 'x'.repeat(900))),
    );
    expect(stored.map(({ batch }) => batch.bad.length)).toEqual([2, 2]);
  });

  it('lets batches become full while a backlog is read', async () => {
    const { pipeline, stored } = startPipeline({ backlogIntervalMs: 60_000, maxInFlight: 3 });
    await pipeline.take(0, messages(0, 3), 50);
    await pipeline.take(0, messages(3, 3), 44);
    await pipeline.take(1, messages(0, 4), 0);
    expect(stored.map(({ lines }) => lines.length)).toEqual([3]);
    await pipeline.take(0, messages(6, 10), 0);
    expect(stored.map(({ lines }) => lines.length)).toEqual([3, 10, 7]);
  });

  it('makes its source wait while all places are taken and the next batch is full', async () => {
    const { pipeline, stored } = startPipeline({ maxInFlight: 2, maxRows: 10 });
    let isTaken = false;
    const taking = pipeline.take(0, messages(0, 40)).then(() => (isTaken = true));
    await settle();
    expect(stored).toHaveLength(2);
    expect(pipeline.stats().gathered).toBe(10);
    expect(isTaken).toBe(false);

    stored[0]?.finish();
    await taking;
    expect(stored.map(({ lines }) => lines.length)).toEqual([10, 10, 10]);
  });

  it('commits without a gap, whatever is stored first', async () => {
    const { pipeline, stored, commits } = startPipeline({ maxInFlight: 3 });
    await pipeline.take(0, messages(100, 30));
    stored[1]?.finish();
    await settle();
    expect(commits).toEqual([]);
    stored[0]?.finish();
    await settle();
    expect(commits).toEqual([[0, 120]]);
    stored[2]?.finish();
    await settle();
    expect(commits).toEqual([
      [0, 120],
      [0, 130],
    ]);
  });

  it('passes bad messages along with the good ones around them, and commits past them', async () => {
    const { pipeline, stored, commits } = startPipeline();
    await pipeline.take(0, [message(0), message(1, '{}'), message(2)]);
    expect(stored[0]?.lines).toHaveLength(2);
    expect(stored[0]?.batch.bad).toMatchObject([{ partition: 0, offset: 1, value: Buffer.from('{}') }]);
    stored[0]?.finish();
    await settle();
    expect(commits).toEqual([[0, 3]]);
  });

  it('commits nothing after its assignment has ended', async () => {
    const { pipeline, stored, commits, faults, end } = startPipeline({ maxInFlight: 1 });
    const taking = pipeline.take(0, messages(0, 30));
    end.abort();
    await taking;
    stored[0]?.finish();
    await settle();
    expect(commits).toEqual([]);
    expect(stored).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('does not commit what could not be stored, nor anything behind it', async () => {
    const { pipeline, stored, commits, faults } = startPipeline({ maxInFlight: 2 });
    await pipeline.take(0, messages(0, 20));
    stored[0]?.fail(new SchemaFault('no'));
    stored[1]?.finish();
    await settle();
    expect(faults).toHaveLength(1);
    expect(commits).toEqual([]);
  });

  it('stops at a message when too many in a row are bad', async () => {
    const { pipeline, faults, commits } = startPipeline({ maxRows: 100, minIntervalMs: 60_000 }, 3);
    await pipeline.take(
      0,
      [1, 2, 3, 4, 5].map((offset) => message(offset, 'x')),
    );
    expect(faults).toEqual([expect.any(SchemaFault)]);
    expect(commits).toEqual([]);
  });

  it('flushes what is gathered and waits for all of it', async () => {
    const { pipeline, stored, commits } = startPipeline({ minIntervalMs: 60_000, maxInFlight: 1 });
    void pipeline.take(0, messages(0, 1));
    void pipeline.take(0, messages(1, 5));
    let isFlushed = false;
    const flushing = pipeline.flush().then(() => (isFlushed = true));
    stored[0]?.finish();
    await settle();
    expect(stored).toHaveLength(2);
    expect(isFlushed).toBe(false);
    stored[1]?.finish();
    await flushing;
    expect(commits).toEqual([
      [0, 1],
      [0, 6],
    ]);
  });

  it('remembers the recorded traces of its messages', async () => {
    const { pipeline, stored } = startPipeline();
    const traced = (flags: string) => ({
      ...message(0),
      headers: { traceparent: Buffer.from(`00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`) },
    });
    await pipeline.take(0, [traced('00')]);
    await pipeline.take(1, [traced('01')]);
    expect(stored.map(({ batch }) => batch.traceparents.length)).toEqual([0, 1]);
  });
});
