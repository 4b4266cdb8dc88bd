import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLanes, PublishError } from '../src/index.ts';
import type { LaneLimits, LanesOptions } from '../src/index.ts';
import { keyOf, scriptedProducer } from './scripted-producer.ts';

const DEADLINE = 4_500;

function lanesOn(leaders: (number | undefined)[] | undefined, options: Partial<LanesOptions> = {}) {
  const producer = scriptedProducer(leaders);
  const limits: LaneLimits = { maxInFlightBytes: 1_000_000 };
  const lanes = createLanes({
    producer: producer.port,
    topic: 't',
    limits,
    deadlineMs: DEADLINE,
    ...options,
  });
  const count = leaders?.length ?? 1;
  const publish = (partition: number, text: string) => {
    const outcome = { settled: 'no' };
    lanes.publish(keyOf(partition, count), Buffer.from(text)).then(
      () => (outcome.settled = 'stored'),
      (error: unknown) => (outcome.settled = error instanceof PublishError ? error.code : String(error)),
    );
    return outcome;
  };
  const send = (index: number) => {
    const made = producer.sends[index];
    if (made === undefined) throw new Error(`send ${index} was not made`);
    return made;
  };
  /** The newest send that carries this partition. */
  const sendOf = (partition: number) => {
    const made = producer.sends.findLast(({ partitions }) => partitions.includes(partition));
    if (made === undefined) throw new Error(`partition ${partition} was not sent`);
    return made;
  };
  return { ...producer, lanes, publish, send, sendOf };
}

/** Runs the rest of this turn of the event loop, and everything that follows from it immediately. */
const turn = () => vi.advanceTimersByTimeAsync(1);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a message', () => {
  it('is stored at the offset of its batch plus its place in it', async () => {
    const { lanes, send } = lanesOn([1, 1]);
    const stored: unknown[] = [];
    const publish = (partition: number, name: string) =>
      lanes.publish(keyOf(partition, 2), Buffer.from(name), undefined, (...place) =>
        stored.push([name, ...place]),
      );
    void publish(0, 'a');
    void publish(1, 'b');
    void publish(0, 'c');
    await turn();
    send(0).succeed(70);
    await turn();
    expect(stored).toEqual(
      expect.arrayContaining([
        ['a', 0, 70],
        ['b', 1, 70],
        ['c', 0, 71],
      ]),
    );
  });

  it('is stored at its offset also where another partition of the send failed', async () => {
    const { lanes, send } = lanesOn([1, 1]);
    const stored: unknown[] = [];
    lanes.publish(keyOf(1, 2), Buffer.from('lost')).catch(() => undefined);
    void lanes.publish(keyOf(0, 2), Buffer.from('a'), undefined, (...place) => stored.push(place));
    await turn();
    send(0).fail('not_acknowledged', [1], true, new Map([[0, 7]]));
    await turn();
    expect(stored).toEqual([[0, 7]]);
  });
});

describe('a lane', () => {
  it('sends immediately when it is free, and together what gathered meanwhile', async () => {
    const { publish, sends, send } = lanesOn([1]);

    publish(0, 'a');
    await turn();
    publish(0, 'b');
    await turn();
    publish(0, 'c');
    await turn();
    expect(sends).toHaveLength(1);
    expect(send(0).values).toEqual({ 0: ['a'] });

    send(0).succeed();
    await turn();
    expect(sends).toHaveLength(2);
    expect(send(1).values).toEqual({ 0: ['b', 'c'] });
  });

  it('sends the partitions of one leader together, and those of another on its own', async () => {
    const { publish, sends } = lanesOn([1, 2, 1]);

    for (const partition of [0, 1, 2]) publish(partition, `p${partition}`);
    await turn();

    expect(sends.map(({ partitions }) => partitions)).toEqual([[0, 2], [1]]);
  });

  it('has one send in flight, whichever of its partitions it is for', async () => {
    const { publish, sends, send } = lanesOn([1, 1]);
    publish(0, 'a');
    await turn();
    publish(1, 'b');
    await turn();
    expect(sends).toHaveLength(1);

    send(0).succeed();
    await turn();
    expect(send(1).values).toEqual({ 1: ['b'] });
  });

  it('is not held up by the lane of another leader', async () => {
    const { publish, send } = lanesOn([1, 2]);
    const stuck = publish(0, 'stuck');
    const first = publish(1, 'first');
    await turn();

    send(1).succeed();
    await turn();
    const second = publish(1, 'second');
    await turn();
    send(2).succeed();
    await turn();

    expect([stuck.settled, first.settled, second.settled]).toEqual(['no', 'stored', 'stored']);
  });

  it('keeps a send below the bounds', async () => {
    const limits = { maxInFlightBytes: 1_000_000, maxBatchMessages: 3, maxBatchBytes: 400 };
    const { publish, sends, send } = lanesOn([1], { limits });

    for (let i = 0; i < 4; i++) publish(0, String(i));
    for (let i = 4; i < 6; i++) publish(0, String(i).repeat(200));
    await turn();
    for (let i = 0; i < 3; i++) {
      send(i).succeed();
      await turn();
    }

    expect(sends.map(({ values }) => values[0]?.length)).toEqual([3, 2, 1]);
  });

  it('gives each partition its turn when a send is full', async () => {
    const limits = { maxInFlightBytes: 1_000_000, maxBatchMessages: 2 };
    const { publish, sends, send } = lanesOn([1, 1], { limits });

    for (let i = 0; i < 4; i++) for (const partition of [0, 1]) publish(partition, String(i));
    await turn();
    send(0).succeed();
    await turn();

    expect(sends.map(({ partitions }) => partitions)).toEqual([[0], [1]]);
  });

  it('does not send before a message whose partition has got another leader meanwhile', async () => {
    const { publish, sends, send, state } = lanesOn([1, 1]);
    publish(0, 'old');
    await turn();

    state.leaders = [2, 1];
    publish(0, 'new');
    await turn();
    expect(sends).toHaveLength(1);

    send(0).succeed();
    await turn();
    expect(send(1).values).toEqual({ 0: ['new'] });
  });
});

describe('a failed send', () => {
  it('fails nobody whose partition was acknowledged', async () => {
    const { publish, send } = lanesOn([1, 1]);
    const good = publish(0, 'good');
    const bad = publish(1, 'bad');
    await turn();

    send(0).fail('not_acknowledged', [1]);
    await turn();

    expect(good.settled).toBe('stored');
    expect(bad.settled).toBe('no');
  });

  it('is repeated partition by partition, in order, so that trouble stays where it is', async () => {
    const { publish, send, sendOf } = lanesOn([1, 1]);
    const first = publish(0, 'first');
    publish(1, 'other');
    await turn();
    send(0).fail('not_enough_replicas');
    const second = publish(0, 'second');
    await vi.advanceTimersByTimeAsync(100);

    expect(sendOf(0).values).toEqual({ 0: ['first', 'second'] });
    expect(sendOf(1).values).toEqual({ 1: ['other'] });
    sendOf(0).succeed();
    sendOf(1).fail('not_enough_replicas');
    await turn();
    expect([first.settled, second.settled]).toEqual(['stored', 'stored']);

    publish(0, 'third');
    await turn();
    expect(sendOf(0).values).toEqual({ 0: ['third'] });
  });

  it('lets a partition back into its lane once it works again', async () => {
    const { publish, send, sendOf } = lanesOn([1, 1]);
    publish(0, 'a');
    await turn();
    send(0).fail();
    await vi.advanceTimersByTimeAsync(100);
    sendOf(0).succeed();
    await turn();

    publish(0, 'b');
    publish(1, 'b');
    await turn();

    expect(sendOf(0).partitions.toSorted()).toEqual([0, 1]);
  });

  it('that is rejected for good fails only what was meant', async () => {
    const { publish, send, sendOf, lanes } = lanesOn([1, 1]);
    const fine = publish(0, 'fine');
    const rejected = publish(1, 'rejected');
    await turn();
    send(0).fail('rejected');
    await vi.advanceTimersByTimeAsync(100);
    sendOf(0).succeed();
    sendOf(1).fail('rejected');
    await turn();

    expect(fine.settled).toBe('stored');
    expect(rejected.settled).toBe('failed');
    expect(lanes.stats().heldBytes).toBe(0);
  });

  it('that is too large for the topic is halved until it passes', async () => {
    const { publish, sends, sendOf, send } = lanesOn([1]);
    const outcomes = Array.from({ length: 5 }, (_, i) => publish(0, String(i)));
    await turn();
    send(0).fail('too_large');
    await vi.advanceTimersByTimeAsync(200);
    sendOf(0).fail('too_large');
    await vi.advanceTimersByTimeAsync(200);
    sendOf(0).succeed();
    await turn();
    sendOf(0).succeed();
    await turn();

    expect(sends.map(({ values }) => values[0])).toEqual([
      ['0', '1', '2', '3', '4'],
      ['0', '1', '2'],
      ['0', '1'],
      ['2', '3', '4'],
    ]);
    expect(outcomes.map(({ settled }) => settled)).toEqual(Array(5).fill('stored'));
  });

  it('that is too large with one message fails that message', async () => {
    const { publish, send } = lanesOn([1]);
    const large = publish(0, 'large');
    await turn();
    send(0).fail('too_large');
    await turn();

    expect(large.settled).toBe('failed');
  });

  it('is tried less and less often', async () => {
    const { publish, sends } = lanesOn([1], { deadlineMs: 60_000 });
    publish(0, 'a');

    for (let second = 0; second < 20; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      sends.at(-1)?.fail();
    }

    expect(sends.length).toBeGreaterThan(9);
    expect(sends.length).toBeLessThanOrEqual(21);
  });
});

describe('a linger', () => {
  const LINGER = { lingerMs: 20 };

  it('delays a message until there are enough for its partition to compress well', async () => {
    const { publish, sends } = lanesOn([1, 1], LINGER);
    for (let i = 0; i < 31; i++) publish(0, 'few');
    publish(1, 'another partition');
    await turn();
    expect(sends).toHaveLength(0);

    publish(0, 'the last');
    await turn();
    expect(sends.map(({ partitions }) => partitions)).toEqual([[0]]);
  });

  it('ends for each partition when its first message has waited that long', async () => {
    const { publish, sends, send } = lanesOn([1, 1], LINGER);
    publish(0, 'first');
    await vi.advanceTimersByTimeAsync(10);
    publish(1, 'ten milliseconds later');
    await vi.advanceTimersByTimeAsync(11);
    expect(sends.map(({ partitions }) => partitions)).toEqual([[0]]);

    send(0).succeed();
    await vi.advanceTimersByTimeAsync(10);
    expect(sends.map(({ partitions }) => partitions)).toEqual([[0], [1]]);
  });

  it('is not added to the time that a message waited for its lane, nor to a retry', async () => {
    const { publish, sends, send } = lanesOn([1, 1], LINGER);
    publish(0, 'a');
    await vi.advanceTimersByTimeAsync(21);
    publish(1, 'waits for the lane');
    await vi.advanceTimersByTimeAsync(30);
    send(0).succeed();
    await turn();
    expect(sends.map(({ partitions }) => partitions)).toEqual([[0], [1]]);

    send(1).fail();
    await vi.advanceTimersByTimeAsync(100);
    expect(sends.map(({ partitions }) => partitions)).toEqual([[0], [1], [1]]);
  });
});

describe('a deadline', () => {
  it('resolves for the caller, and holds the bytes until Kafka has settled', async () => {
    const { publish, send, lanes } = lanesOn([1]);
    const late = publish(0, 'late');
    await turn();
    await vi.advanceTimersByTimeAsync(DEADLINE + 100);

    expect(late.settled).toBe('deadline');
    expect(lanes.stats().heldBytes).toBeGreaterThan(0);
    send(0).succeed();
    await turn();
    expect(lanes.stats().heldBytes).toBe(0);
  });

  it('drops what was not sent yet', async () => {
    const { lanes, publish, sends, send } = lanesOn([1]);
    publish(0, 'in flight');
    await turn();
    const waiting = lanes.publish(keyOf(0, 1), Buffer.from('waiting'));
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'deadline', maybeStored: false });
    await vi.advanceTimersByTimeAsync(DEADLINE + 100);
    send(0).succeed();
    await turn();

    await outcome;
    expect(sends).toHaveLength(1);
  });

  it('drops it also when the lane becomes free before anyone looked at the time', async () => {
    let time = 0;
    const { publish, sends, send } = lanesOn([1], { clock: { now: () => time } });
    publish(0, 'in flight');
    await turn();
    const late = publish(0, 'late');

    time = DEADLINE;
    send(0).succeed();
    await turn();

    expect(late.settled).toBe('deadline');
    expect(sends).toHaveLength(1);
  });

  it('is not repeated after a failure', async () => {
    const { lanes, publish, sends, send } = lanesOn([1]);
    publish(0, 'late');
    await turn();
    await vi.advanceTimersByTimeAsync(DEADLINE + 100);
    send(0).fail();
    await vi.advanceTimersByTimeAsync(5_000);

    expect(sends).toHaveLength(1);
    expect(lanes.stats().heldBytes).toBe(0);
  });

  it('says that a message which was sent may be stored, and why it took so long', async () => {
    const { lanes, sends, send } = lanesOn([1]);
    const published = lanes.publish('k', Buffer.from('v'));
    const outcome = expect(published).rejects.toMatchObject({
      code: 'deadline',
      maybeStored: true,
      message: 'Not acknowledged within 4500 ms: scripted: timed_out',
    });
    await turn();
    send(0).fail('timed_out');
    await vi.advanceTimersByTimeAsync(DEADLINE + 100);
    sends.at(-1)?.fail('timed_out');

    await outcome;
  });

  it('needs no timer when nothing waits', async () => {
    const { publish, send } = lanesOn([1]);
    publish(0, 'a');
    await turn();
    send(0).succeed();
    await vi.advanceTimersByTimeAsync(200);

    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the bounds', () => {
  it('reject before queueing', async () => {
    const { lanes, publish, send } = lanesOn([1], { limits: { maxInFlightBytes: 2_000 } });
    for (let i = 0; i < 3; i++) publish(0, 'x'.repeat(100));

    await expect(lanes.publish('k', Buffer.alloc(100))).rejects.toMatchObject({
      code: 'overloaded',
      maybeStored: false,
    });

    await turn();
    send(0).succeed();
    await turn();
    expect(publish(0, 'again').settled).toBe('no');
    expect(lanes.stats().waitingMessages).toBe(1);
  });

  it('leave room for the partitions that work', async () => {
    const limits = { maxInFlightBytes: 20_000, maxPartitionBytes: 5_000 };
    const { publish } = lanesOn([1, 2], { limits });
    const dead = Array.from({ length: 30 }, () => publish(0, 'x'.repeat(500)));
    const alive = publish(1, 'y');
    await turn();

    expect(dead.filter(({ settled }) => settled === 'overloaded').length).toBeGreaterThan(20);
    expect(alive.settled).toBe('no');
  });

  it('reject a message that fits into no send', async () => {
    const limits = { maxInFlightBytes: 1_000_000, maxBatchBytes: 1_000 };
    const { lanes } = lanesOn([1], { limits });

    await expect(lanes.publish('k', Buffer.alloc(1_000))).rejects.toMatchObject({ code: 'failed' });
  });

  it('reject everything until the partitions are known', async () => {
    const { lanes, state } = lanesOn(undefined);

    await expect(lanes.publish('k', Buffer.alloc(1))).rejects.toMatchObject({ code: 'unavailable' });
    state.leaders = [1];
    void lanes.publish('k', Buffer.alloc(1));
    expect(lanes.stats().waitingMessages).toBe(1);
  });
});

describe('a group', () => {
  const group = (partitions: number[], count: number) =>
    partitions.map((partition, n) => ({ key: keyOf(partition, count), value: Buffer.from(String(n)) }));

  it('goes to its partitions in its order, and resolves when each of them has responded', async () => {
    const { lanes, send, sendOf } = lanesOn([1, 2]);
    const settled = vi.fn();
    const outcome = lanes.publishGroup(group([0, 1, 0, 1, 0], 2));
    void outcome.then(settled);
    await turn();
    expect([send(0).values, send(1).values]).toEqual([{ 0: ['0', '2', '4'] }, { 1: ['1', '3'] }]);

    sendOf(0).succeed();
    await turn();
    expect(settled).not.toHaveBeenCalled();
    sendOf(1).succeed();
    await expect(outcome).resolves.toEqual({ acknowledged: 5, failures: new Map() });
    expect(lanes.stats().heldBytes).toBe(0);
  });

  it('reports which messages were not acknowledged in time', async () => {
    const { lanes, sendOf } = lanesOn([1, 2]);
    const outcome = lanes.publishGroup(group([0, 1, 0], 2));
    await turn();
    sendOf(0).succeed();
    await vi.advanceTimersByTimeAsync(DEADLINE + 100);

    const { acknowledged, failures } = await outcome;
    expect(acknowledged).toBe(2);
    expect([...failures]).toEqual([
      [1, expect.objectContaining({ code: 'deadline', maybeStored: true }) as object],
    ]);
    sendOf(1).succeed();
    await turn();
    expect(lanes.stats().heldBytes).toBe(0);
  });

  it('keeps its place between single messages', async () => {
    const { lanes, publish, send } = lanesOn([1]);
    publish(0, 'before');
    void lanes.publishGroup(group([0, 0], 1));
    publish(0, 'after');
    await turn();
    expect(send(0).values).toEqual({ 0: ['before', '0', '1', 'after'] });
  });

  it('that does not fit into the bound of all is rejected whole', async () => {
    const { lanes } = lanesOn([1], { limits: { maxInFlightBytes: 2_000 } });
    const { acknowledged, failures } = await lanes.publishGroup(group(Array<number>(10).fill(0), 1));
    expect([acknowledged, failures.size, failures.get(0)?.code]).toEqual([0, 10, 'overloaded']);
    expect(lanes.stats().heldBytes).toBe(0);
  });

  it('that fills up a partition is cut there, which keeps the order; the others go on', async () => {
    const limits = { maxInFlightBytes: 100_000, maxPartitionBytes: 2_000 };
    const { lanes, sends } = lanesOn([1, 2], { limits });
    const messages = group([...Array<number>(6).fill(0), 1, 0], 2);
    messages[4] = { key: keyOf(0, 2), value: Buffer.alloc(1_000) };
    const outcome = lanes.publishGroup(messages);
    await turn();
    const sent = sends.flatMap(({ values }) => Object.values(values).flat());
    for (const made of sends) made.succeed();

    const { acknowledged, failures } = await outcome;
    expect(sent).toEqual(['0', '1', '2', '3', '6']);
    expect(acknowledged).toBe(5);
    expect([...failures.keys()]).toEqual([4, 5, 7]);
  });

  it('loses only the message that fits into no send', async () => {
    const limits = { maxInFlightBytes: 1_000_000, maxBatchBytes: 1_000 };
    const { lanes, send } = lanesOn([1], { limits });
    const messages = group([0, 0, 0], 1);
    messages[1] = { key: keyOf(0, 1), value: Buffer.alloc(1_000) };
    const outcome = lanes.publishGroup(messages);
    await turn();
    send(0).succeed();
    const { acknowledged, failures } = await outcome;
    expect([acknowledged, failures.get(1)?.code]).toEqual([2, 'failed']);
  });

  it('gets its outcome when the lanes close, and is rejected when they have', async () => {
    const { lanes } = lanesOn([1]);
    const underWay = lanes.publishGroup(group([0, 0], 1));
    await turn();
    const closed = lanes.close(100);
    const { failures } = await lanes.publishGroup(group([0], 1));
    expect(failures.get(0)?.code).toBe('closed');
    await vi.advanceTimersByTimeAsync(100);
    expect(await closed).toEqual({ unacknowledged: 2 });
    expect((await underWay).failures.get(1)?.code).toBe('closed');
  });

  const LARGE = group(Array<number>(2_500).fill(0), 1);

  it('that is large is queued in slices, and its room is taken before', async () => {
    const { lanes, send, sends } = lanesOn([1], { limits: { maxInFlightBytes: 1_000_000 } });
    const pause = vi.fn(() => Promise.resolve());
    const outcome = lanes.publishGroup(LARGE, pause);
    expect(lanes.stats().heldBytes).toBeGreaterThan(2_500 * 320);
    await turn();
    for (let n = 0; n < sends.length; n++) {
      expect(lanes.stats().waitingMessages).toBeLessThanOrEqual(500);
      expect(sends[n]?.values[0]?.length).toBeLessThanOrEqual(1_000);
      send(n).succeed();
      await turn();
    }
    expect(await outcome).toEqual({ acknowledged: 2_500, failures: new Map() });
    const values = sends.flatMap((made) => made.values[0] ?? []);
    expect(values).toEqual(Array.from({ length: 2_500 }, (_, n) => String(n)));
    expect(lanes.stats().heldBytes).toBe(0);
    expect(pause).toHaveBeenCalledTimes(4);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  it('that is large lets messages of others into each send', async () => {
    const { lanes, publish, send, sends } = lanesOn([1]);
    void lanes.publishGroup(LARGE);
    await turn();
    const single = publish(0, 'single');
    for (let n = 0; single.settled === 'no'; n++) {
      send(n).succeed();
      await turn();
    }
    expect(sends.findIndex(({ values }) => values[0]?.includes('single'))).toBeLessThanOrEqual(2);
    const sent = sends.flatMap(({ values }) => values[0] ?? []);
    expect(sent.indexOf('single')).toBeLessThanOrEqual(1_000);
  });

  it('that is large does not wait for long while Kafka is slow, so that its deadline holds', async () => {
    const { lanes } = lanesOn([1]);
    const outcome = lanes.publishGroup(LARGE);
    await vi.advanceTimersByTimeAsync(DEADLINE + 350);
    const { failures } = await outcome;
    expect([failures.size, failures.get(0)?.code, failures.get(2_499)?.code]).toEqual([
      2_500,
      'deadline',
      'deadline',
    ]);
  });

  it('that is still being queued when the lanes close loses what is left', async () => {
    const { lanes } = lanesOn([1]);
    const outcome = lanes.publishGroup(LARGE);
    await turn();
    const closed = lanes.close(100);
    await vi.advanceTimersByTimeAsync(100);
    expect(await closed).toEqual({ unacknowledged: 1_000 });
    await vi.advanceTimersByTimeAsync(250);
    expect((await outcome).failures.size).toBe(2_500);
  });

  it('of no messages has its outcome immediately', async () => {
    const { lanes } = lanesOn([1]);
    await expect(lanes.publishGroup([])).resolves.toMatchObject({ acknowledged: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('close', () => {
  it('waits for what is under way and takes nothing new', async () => {
    const { lanes, publish, send } = lanesOn([1]);
    const underWay = publish(0, 'a');
    await turn();
    const closed = lanes.close(10_000);
    await expect(lanes.publish('k', Buffer.alloc(1))).rejects.toMatchObject({ code: 'closed' });
    send(0).succeed();

    expect(await closed).toEqual({ unacknowledged: 0 });
    expect(underWay.settled).toBe('stored');
    await vi.advanceTimersByTimeAsync(100);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends in time, settles the others, and reports their number', async () => {
    const { lanes, publish } = lanesOn([1]);
    const inFlight = publish(0, 'a');
    await turn();
    const waiting = publish(0, 'b');
    const closed = lanes.close(1_000);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await closed).toEqual({ unacknowledged: 2 });
    expect([inFlight.settled, waiting.settled]).toEqual(['closed', 'closed']);
  });
});

it('reports every send to the observer, and failures to the caller', async () => {
  const onSend = vi.fn();
  const { lanes, publish, send } = lanesOn([1, 1], { observer: { onSend } });
  publish(0, 'a');
  publish(0, 'b');
  publish(1, 'c');
  await turn();
  expect(lanes.stats()).toMatchObject({ sendsInFlight: 1, waitingMessages: 0, failing: [] });
  send(0).fail('not_acknowledged', [1]);
  await turn();

  expect(onSend).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      partitions: 2,
      messages: 3,
      error: expect.objectContaining({ code: 'not_acknowledged' }) as object,
    }),
  );
  expect(lanes.stats().failing).toEqual([{ partition: 1, failures: 1, error: 'scripted: not_acknowledged' }]);
});

it('says that a partition fails while it has something to send, and a minute longer', async () => {
  const { lanes, publish, sendOf } = lanesOn([1]);
  const outcome = publish(0, 'a');
  await turn();
  sendOf(0).fail('not_acknowledged', [0]);
  await turn();
  const failing = () => lanes.stats().failing.map(({ partition }) => partition);
  expect(failing()).toEqual([0]);
  await vi.advanceTimersByTimeAsync(DEADLINE + 100);
  expect(outcome.settled).toBe('deadline');
  if (lanes.stats().sendsInFlight > 0) sendOf(0).fail('not_acknowledged', [0]);
  await turn();
  expect([lanes.stats().heldBytes, failing()]).toEqual([0, [0]]);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(failing()).toEqual([]);

  // The first reading that comes finds out.
  publish(0, 'b');
  await turn();
  sendOf(0).fail('not_acknowledged', [0]);
  await turn();
  expect(failing()).toEqual([0]);
});
