import { RETENTION_DAYS } from '@cellarman/contracts';
import { expect, it } from 'vitest';
import { RETENTION } from '../src/cellars/retention.ts';

it('the retention that a person may choose is the one that the services allow', () => {
  expect(RETENTION).toEqual(RETENTION_DAYS);
});
