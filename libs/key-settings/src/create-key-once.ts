/** What one request to create a key led to: a key with its secret, or the id of a key whose secret was lost. */
export type Attempt<Created> = { created: Created } | { lostId: string };

export interface KeyRequests<Created> {
  /** Rejects if the key can be neither created nor found. */
  create: (idempotencyKey: string) => Promise<Attempt<Created>>;
  revoke: (id: string) => Promise<unknown>;
}

/**
 * Creates one key, however often it is called with the same `requestName`, also by a run that was killed in between.
 *
 * The secret is only in the first response. If that was lost, key-service rejects the same idempotency key with 409 and names
 * the key that it had created. Its secret is lost, so that key is revoked, and the next idempotency key in the sequence is
 * tried. The sequence depends on `requestName` alone, so that every run repeats the same one.
 */
export async function createKeyOnce<Created>(
  requestName: string,
  { create, revoke }: KeyRequests<Created>,
): Promise<{ created: Created; lost: string[] }> {
  const lost: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await create(idempotencyKeyOf(requestName, attempt));
    if ('created' in outcome) return { created: outcome.created, lost };
    await revoke(outcome.lostId);
    lost.push(outcome.lostId);
  }
}

const idempotencyKeyOf = (requestName: string, attempt: number) => `${requestName}/${attempt}`;

/** For a first attempt that creates several keys in one request. */
export const firstIdempotencyKey = (requestName: string) => idempotencyKeyOf(requestName, 1);

/** Returns the id in the `Location` of a 409, which is there only when the same request has created a key. */
export function keyCreatedBefore({
  status,
  headers,
}: Pick<Response, 'status' | 'headers'>): string | undefined {
  return status === 409 ? /\/keys\/([^/]+)$/.exec(headers.get('location') ?? '')?.[1] : undefined;
}
