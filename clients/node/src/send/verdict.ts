import type { Rejection } from '../spool/spool.ts';

export interface Response {
  /** 0: none. */
  status: number;
  /** Undefined: it is not a JSON object, so it does not come from ingest. */
  body: Record<string, unknown> | undefined;
  headers: { get(name: string): string | null };
  /** Of a request without a response: why. */
  reason?: string;
}

/** What happens to the readings of a request. */
export interface Verdict {
  /** `blocked`: a person has to do something, such as replace the key. `halve`: the same readings, in smaller requests. */
  next: 'go on' | 'retry' | 'halve' | 'blocked';
  /** Indexes that are sent again. */
  kept: ReadonlySet<number>;
  rejections: ReadonlyMap<number, Rejection>;
  /** Why not everything is stored. */
  problem?: { code: string; message: string };
}

/**
 * Decides by the response to a batch of `count` readings; see "Responses" in docs/clients.md.
 *
 * A reading leaves the spool only if ingest, or a gateway, has counted it.
 */
export function verdictOf(response: Response, count: number): Verdict {
  const { status, body } = response;
  const all = new Set(Array.from({ length: count }, (_, index) => index));
  const keep = (next: Verdict['next'], problem = problemOf(response)): Verdict => {
    return { next, kept: all, rejections: new Map(), problem };
  };
  if (status === 0 || body === undefined) return keep('retry');
  const errors = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : undefined;
  if (errors !== undefined && errors.length > 0 && body['accepted'] === count - errors.length) {
    const verdict = verdictOnEach(errors, response, count);
    if (verdict.kept.size + verdict.rejections.size === errors.length) return verdict;
  }
  // A gateway has them on its disk, and sends them.
  const isConfirmed = status === 200 || (status === 202 && body['status'] === 'queued');
  if (isConfirmed && body['accepted'] === count)
    return { next: 'go on', kept: new Set(), rejections: new Map() };
  if (status < 300)
    return keep('retry', {
      code: 'unexpected_response',
      message: `${status} does not confirm ${count} readings`,
    });
  if (status === 413 || status === 400) {
    if (count > 1) return keep('halve');
    const { code, message } = problemOf(response);
    const rejections = new Map([[0, { code, error: message }]]);
    return { next: 'go on', kept: new Set(), rejections, problem: { code, message } };
  }
  return keep(status === 408 || status === 429 || status >= 500 ? 'retry' : 'blocked');
}

/** Decides by the response to a claim that gave no key. */
export function verdictOfClaim(response: Response): Verdict {
  const { status, body } = response;
  const isTemporary = status < 300 || body === undefined || status === 408 || status === 429 || status >= 500;
  const next = isTemporary ? 'retry' : 'blocked';
  return { next, kept: new Set(), rejections: new Map(), problem: problemOf(response) };
}

function verdictOnEach(errors: readonly unknown[], response: Response, count: number): Verdict {
  const kept = new Set<number>();
  const rejections = new Map<number, Rejection>();
  for (const entry of errors) {
    const { index, code, error, retryable } = entry as Record<string, unknown>;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) continue;
    if (retryable === true) kept.add(index);
    else rejections.set(index, { code: text(code) ?? 'rejected', error: text(error) ?? '' });
  }
  const [rejected] = rejections.values();
  const problem =
    rejected === undefined ? problemOf(response) : { code: rejected.code, message: rejected.error };
  return { next: kept.size > 0 ? 'retry' : 'go on', kept, rejections, problem };
}

function problemOf({ status, body, reason }: Response): { code: string; message: string } {
  if (status === 0) return { code: 'no_response', message: reason ?? 'no response' };
  if (body === undefined)
    return { code: 'unexpected_response', message: `${status} without JSON: not from ingest` };
  return { code: text(body['code']) ?? `http_${status}`, message: text(body['error']) ?? `status ${status}` };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
