import type { Row } from '../row.ts';
import { brokerDown, brokerPaused } from './broker.ts';
import { clickhouseAway } from './clickhouse-away.ts';
import { clients } from './clients.ts';
import { clock } from './clock.ts';
import { connections } from './connections.ts';
import { diskFull } from './disk-full.ts';
import { keys } from './keys.ts';
import { kill } from './kill.ts';
import { leader, leaderCutOff } from './leader.ts';
import { pause, stop } from './processes.ts';
import { rollingRestarts } from './rolling-restarts.ts';

/** In the order in which they stand in the report. */
export const ROWS: readonly Row[] = [
  kill,
  brokerPaused,
  brokerDown,
  leader,
  leaderCutOff,
  clickhouseAway,
  keys,
  diskFull,
  pause,
  stop,
  rollingRestarts,
  connections,
  clock,
  clients,
];
