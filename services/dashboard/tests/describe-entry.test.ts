import { describe, expect, it } from 'vitest';
import { describeAction, describeDetails } from '../src/audit/describe-entry.ts';

describe('an entry of the audit', () => {
  it('of a change tells what became different, and nothing else', () => {
    const before = { name: 'old', scopes: ['ingest'], rateLimit: null, expiresAt: null };
    const after = { ...before, name: 'new', rateLimit: { perSecond: 5, burst: 100 } };
    expect(describeDetails({ details: { before, after } })).toEqual([
      'name: old → new',
      'rate limit: none → 5 per second, 100 at once',
    ]);
  });

  it('of something new tells what it was made with', () => {
    const details = { name: 'boiler', rack: null, scopes: ['ingest', 'read'], expiresAt: null };
    expect(describeDetails({ details })).toEqual(['name: boiler', 'scope: ingest, read']);
  });

  it('of an action from a later version is shown by its name', () => {
    expect(describeAction({ action: 'key.revoked' })).toBe('Revoked a key');
    expect(describeAction({ action: 'key.forgotten' })).toBe('key.forgotten');
  });
});
