import { RETENTION_DAYS } from '@cellarman/contracts';
import { expect, it } from 'vitest';
import { RETENTION } from '../src/cellars/retention.ts';

it('the dashboard offers the retention that the services allow', () => {
  expect(RETENTION).toEqual(RETENTION_DAYS);
});
