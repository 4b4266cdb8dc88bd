import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem, Settings } from '../options.ts';
import type { Batch, Spool } from '../spool/spool.ts';
import { openApiKey } from './api-key.ts';
import { post } from './post.ts';
import { createRate } from './rate.ts';
import { verdictOf, verdictOfClaim } from './verdict.ts';
import type { Response, Verdict } from './verdict.ts';

/** Sends what is in the spool, one request at a time. */
export interface Sender {
  /** Readings were added. */
  notify(): void;
  /** Sends until the spool is empty, or `deadlineMs` has passed. */
  close(deadlineMs: number): Promise<void>;
  status(): SenderStatus;
}

export interface SenderStatus {
  /** `waiting`: for the next attempt. `blocked`: the same after a response such as 401. */
  state: 'idle' | 'sending' | 'waiting' | 'blocked';
  lastSuccessAt: string | null;
  lastError: Problem | null;
  clockOffsetMs: number | null;
}

export function startSender(spool: Spool, settings: Settings, onProblem: (problem: Problem) => void): Sender {
  const rate = createRate();
  const apiKey = openApiKey(settings);
  const stop = new AbortController();
  const status: SenderStatus = { state: 'idle', lastSuccessAt: null, lastError: null, clockOffsetMs: null };
  let isClosing = false;
  let limit = settings.batchReadings;
  let failures = 0;
  let failingSince: number | undefined;
  let backlogFrom = 0;
  /** Ends the pause of now. Puts end only a pause that waits for readings. */
  let wake: { call: () => void; forPuts: boolean } | undefined;
  if (settings.order === 'fresh-first') spool.raiseBoundary();
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        if (isClosing && spool.waiting() === 0) return;
        const key = apiKey.current();
        const batch = key === undefined ? 0 : choose();
        if (key === undefined) await claim();
        else if (typeof batch === 'object') await send(batch, key);
        else await pause(batch, true);
      } catch (error) {
        // The disk may be full: what is not removed now is sent again.
        await fail({ code: 'spool_failed', message: (error as Error).message }, 'waiting');
      }
    }
  }

  /** The batch that is due, or how long to wait for one. */
  function choose(): Batch | number {
    const wanted = Math.min(limit, spool.waiting());
    if (wanted === 0) return Infinity;
    const allowance = rate.allowance(wanted);
    if ('waitMs' in allowance) return allowance.waitMs;
    const most = { readings: allowance.readings, bytes: settings.batchBytes };
    const fresh = spool.next('fresh', most);
    const age = fresh === undefined ? 0 : Math.abs(Date.now() - fresh.firstAt);
    const isFull = fresh?.isCut === true || fresh?.ids.length === limit || most.readings < wanted;
    const isDue = isClosing || isFull || age >= settings.lingerMs;
    if (fresh !== undefined && isDue) return fresh;
    const backlogMs = backlogFrom - performance.now();
    const backlog = backlogMs > 0 ? undefined : spool.next('backlog', most);
    if (backlog !== undefined) return backlog;
    return Math.min(
      fresh === undefined ? Infinity : settings.lingerMs - age,
      backlogMs > 0 ? backlogMs : Infinity,
    );
  }

  async function claim(): Promise<void> {
    status.state = 'sending';
    const response = await apiKey.claim(stop.signal);
    if (stop.signal.aborted && response.status === 0) return;
    if (apiKey.current() === undefined) await failWith(verdictOfClaim(response), response);
    else {
      failures = 0;
      status.state = 'idle';
    }
  }

  async function send(batch: Batch, key: string): Promise<void> {
    status.state = 'sending';
    const began = Date.now();
    const response = await post(batch.bodies, key, settings, stop.signal);
    if (stop.signal.aborted && response.status === 0) return;
    const verdict = verdictOf(response, batch.ids.length);
    if (response.body !== undefined) rate.note(response.headers);
    noteClock(response, (began + Date.now()) / 2);
    if (verdict.kept.size < batch.ids.length) spool.settle(batch, verdict.kept, verdict.rejections);
    if (batch.lane === 'backlog')
      backlogFrom = performance.now() + rate.pauseMs(batch.ids.length, settings.backlogShare);
    if (verdict.next === 'halve') limit = Math.max(1, batch.ids.length >> 1);
    else if (verdict.next === 'go on') succeed(verdict);
    else await failWith(verdict, response);
  }

  function succeed({ problem }: Verdict): void {
    const now = Date.now();
    if (
      failingSince !== undefined &&
      now - failingSince > settings.freshMs &&
      settings.order === 'fresh-first'
    )
      spool.raiseBoundary();
    failingSince = undefined;
    failures = 0;
    limit = Math.min(settings.batchReadings, limit * 2);
    status.state = 'idle';
    status.lastSuccessAt = new Date(now).toISOString();
    if (problem !== undefined) report(problem);
  }

  async function failWith({ next, problem }: Verdict, { headers }: Response): Promise<void> {
    const retryAfter = headers.get('retry-after') ?? '';
    const waitMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : undefined;
    const failure = problem ?? { code: 'unavailable', message: '' };
    if (next === 'blocked') await fail(failure, 'blocked', settings.blockedMs);
    else await fail(failure, 'waiting', waitMs);
  }

  async function fail(
    problem: { code: string; message: string },
    state: 'waiting' | 'blocked',
    waitMs = Math.min(settings.retryMaxMs, settings.retryMinMs * 2 ** Math.min(failures, 20)) *
      (0.5 + Math.random() / 2),
  ): Promise<void> {
    failures += 1;
    failingSince ??= Date.now();
    status.state = state;
    report(problem);
    await pause(waitMs, false);
  }

  function report({ code, message }: { code: string; message: string }): void {
    const isNew = status.lastError?.code !== code || status.state === 'idle';
    status.lastError = { code, message, at: new Date().toISOString() };
    if (isNew) onProblem(status.lastError);
  }

  function noteClock({ body }: Response, localMs: number): void {
    const server = typeof body?.['timestamp'] === 'string' ? Date.parse(body['timestamp']) : Number.NaN;
    if (!Number.isNaN(server)) status.clockOffsetMs = Math.round(server - localMs);
  }

  async function pause(ms: number, forPuts: boolean): Promise<void> {
    if (forPuts && ms > 0 && status.state === 'sending') status.state = 'idle';
    const ended = new AbortController();
    wake = { call: () => ended.abort(), forPuts: forPuts && ms === Infinity };
    // The longest that a timer can wait.
    const signal = AbortSignal.any([ended.signal, stop.signal]);
    await sleep(Math.min(ms, 2 ** 31 - 1), undefined, { signal }).catch(() => undefined);
    wake = undefined;
  }

  return {
    notify() {
      if (
        wake?.forPuts === true ||
        (wake !== undefined && status.state === 'idle' && spool.waiting() >= limit)
      )
        wake.call();
    },
    async close(deadlineMs) {
      isClosing = true;
      wake?.call();
      const deadline = setTimeout(() => {
        stop.abort();
        wake?.call();
      }, deadlineMs);
      await running;
      clearTimeout(deadline);
    },
    status: () => status,
  };
}
