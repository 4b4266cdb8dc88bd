import { describe, expect, it } from 'vitest';
import { readKeysSearch } from '../src/keys/keys-search.ts';
import { readSignInSearch } from '../src/session/sign-in-search.ts';

describe('the query string of a page', () => {
  it('keeps the known values', () => {
    expect(readKeysSearch({ state: 'revoked', sort: 'name', order: 'up', cursor: 'abc', x: 1 })).toEqual({
      state: 'revoked',
      sort: 'name',
      cursor: 'abc',
    });
  });

  it.each([
    ['cm_4fGh2kLmN0pQrStUvWxYz0123456789abcdef', 'cm_4fGh2'],
    [' cm_4fGh2kLmN0pQrStUvWxYz0123456789abcdef ', 'cm_4fGh2'],
    ['"cm_4fGh2kLmN0pQrStUvWxYz0123456789abcdef"', 'cm_4fGh2'],
    ['X-API-Key: cm_4fGh2kLmN0pQrStUvWxYz0123456789abcdef', 'cm_4fGh2'],
    ['API_KEY=cm_4fGh2kLmN0pQrStUvWxYz0123456789abcdef', 'cm_4fGh2'],
    ['CELLARMAN_API_KEY=cm_4fGh2kLmN0pQrStUvWxYz01', 'cm_4fGh2'],
    ['cm_4f', 'cm_4f'],
    ['press cm_4fGh2k', 'press cm_4fGh2k'],
    ['pcm_pressure', 'pcm_pressure'],
    ['boiler', 'boiler'],
  ])('of a key that was pasted keeps what lists show: %s', (search, kept) => {
    expect(readKeysSearch({ search })).toEqual({ search: kept });
  });

  it.each([
    '//elsewhere.example',
    '/\\elsewhere.example',
    'https://elsewhere.example',
    'javascript:alert(1)',
    '',
  ])('does not lead from the sign-in to %s', (next) => {
    expect(readSignInSearch({ next })).toEqual({});
  });

  it('leads from the sign-in back to a page of ours', () => {
    expect(readSignInSearch({ next: '/cellars/demo/keys?state=%22revoked%22' })).toEqual({
      next: '/cellars/demo/keys?state=%22revoked%22',
    });
  });
});
