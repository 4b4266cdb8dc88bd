import type { Row } from '../row.ts';
import { brokerDown, brokerPaused } from './broker.ts';
import { clickhouseAway } from './clickhouse-away.ts';
import { kill } from './kill.ts';
import { leader } from './leader.ts';

/** In the order in which they stand in the report. */
export const ROWS: readonly Row[] = [kill, brokerPaused, brokerDown, leader, clickhouseAway];
