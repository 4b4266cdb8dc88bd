import { oneOf, searchOf } from '../display/read-search.ts';
import { RANGE_NAMES } from './ranges.ts';

export const readOverviewSearch = searchOf({
  /** Left out: the last hour. */
  range: oneOf(...RANGE_NAMES),
});
