import { describe, expect, it } from 'vitest';
import { auditParams, readAuditSearch } from '../src/audit/audit-search.ts';
import { describeAction, describeDetails } from '../src/audit/describe-entry.ts';

describe('an entry of the audit log', () => {
  it('lists only the changed fields of a change', () => {
    const before = { name: 'old', scopes: ['ingest'], rateLimit: null, expiresAt: null, retentionDays: 90 };
    const rateLimit = { perSecond: 5_000, burst: 100_000 };
    const after = { ...before, name: 'new', rateLimit, retentionDays: 30 };
    expect(describeDetails({ details: { before, after } })).toEqual([
      'Name: old → new',
      'Rate limit: none → 5,000/s, burst 100,000',
      'Retention: 90 → 30 days',
    ]);
  });

  it('names the keg whose settings changed', () => {
    const before = { unit: null, decimals: null, description: null, goodRange: { min: null, max: null } };
    const after = { ...before, unit: '°C', goodRange: { min: 10, max: 25 } };
    expect(describeDetails({ details: { keg: 'temperature', before, after } })).toEqual([
      ...['Keg: temperature', 'Unit: none → °C', 'Good range: none → 10 to 25'],
    ]);
    const half = { before: after, after: { ...after, goodRange: { min: null, max: 25 } } };
    expect(describeDetails({ details: { keg: 'temperature', ...half } })[1]).toBe(
      'Good range: 10 to 25 → at most 25',
    );
  });

  it('lists the fields of a new resource', () => {
    const details = { name: 'boiler', rack: null, scopes: ['ingest', 'read'], expiresAt: null };
    expect(describeDetails({ details })).toEqual(['Name: boiler', 'Scopes: ingest, read']);
  });

  it('has times in words', () => {
    const [line] = describeDetails({ details: { expiresAt: '2026-12-12T18:13:31.740Z' } });
    expect(line).toMatch(/^Expires: (Sat|Sun), 1[23] Dec 2026, \d\d:13:31$/);
  });

  it('shows an action from a later version by its name', () => {
    expect(describeAction({ action: 'key.revoked' })).toBe('Revoked a key');
    expect(describeAction({ action: 'key.forgotten' })).toBe('key.forgotten');
  });
});

it('a search by days includes the whole last day', () => {
  const search = readAuditSearch({ from: '2026-11-20', to: '2026-11-20', action: 'key.created' });
  const { from = '', to = '', action } = auditParams(search);
  expect(action).toBe('key.created');
  expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
  expect(readAuditSearch({ from: 'yesterday' })).toEqual({});
});
