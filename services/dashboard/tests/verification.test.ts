import { describe, expect, it } from 'vitest';
import { describeFigures, verdictOf } from '../src/verification/describe-verification.ts';

const NOW = Date.parse('2026-11-23T12:30:00Z');
const NONE = {
  ...{ messages: 0, acknowledged: 0, stored: 0, missing: 0, duplicated: 0, altered: 0 },
  ...{ expired: 0, deadLetters: 0 },
};

function verdict(total: Partial<typeof NONE>, state: 'verified' | 'pending' = 'verified') {
  const hour = { at: '2026-11-23T11:00:00Z', state, checkedAt: null, findings: [], ...NONE, ...total };
  const checkedAt = '2026-11-23T12:15:00Z';
  return verdictOf({ hours: [hour], total: { ...NONE, ...total }, checkedAt }, NOW);
}

describe('the verdict about the last day', () => {
  it('is that everything matches only if there were readings', () => {
    expect(verdict({ messages: 3, acknowledged: 3, stored: 3 })).toBe('match');
    expect(verdict({})).toBe('nothing');
    expect(verdict({}, 'pending')).toBe('unknown');
    expect(verdict({ missing: 1 }, 'pending')).toBe('mismatch');
  });

  it('comes with the figures, or that there are none', () => {
    expect(describeFigures({ ...NONE, acknowledged: 1_203, stored: 1_203 })).toMatch(
      /^1,203 acknowledged, 1,203 stored, 0 missing/,
    );
    expect(describeFigures(NONE)).toBe('no readings in the verified hours');
  });
});
