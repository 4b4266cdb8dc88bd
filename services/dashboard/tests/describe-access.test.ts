import { describe, expect, it } from 'vitest';
import { accessChoiceOf, chosenAccess } from '../src/access/access-choice.ts';
import { describeCellars, describeRole } from '../src/access/describe-access.ts';

describe('access', () => {
  it.each([
    [null, 'All'],
    [[], 'None'],
    [['a', 'b', 'c'], 'a, b, c'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
  ])('with the cellars %j reads: %s', (cellars, words) => {
    expect(describeCellars({ role: cellars === null ? 'owner' : 'member', cellars })).toBe(words);
  });

  it('names cellars for members and viewers only', () => {
    const viewer = { role: 'viewer', cellars: ['a'] } as const;
    expect(describeRole({ ...viewer, cellars: ['a'] })).toBe('Viewer');
    expect(chosenAccess({ ...viewer, cellars: ['a'] })).toEqual(viewer);
    expect(chosenAccess({ role: 'member', cellars: ['a'] })).toEqual({ role: 'member', cellars: ['a'] });
    expect(chosenAccess({ role: 'owner', cellars: ['a'] })).toEqual({ role: 'owner' });
    expect(accessChoiceOf({ role: 'owner', cellars: null })).toEqual({ role: 'owner', cellars: [] });
  });
});
