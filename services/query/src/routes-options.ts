import type { KeyService } from './access/key-service.ts';
import type { SelectAs } from './clickhouse/select.ts';
import type { Live } from './live/live.ts';
import type { StreamOptions } from './readings/admit-stream.ts';

/** What each group of routes needs. */
export interface RoutesOptions {
  selectAs: SelectAs;
  streams: StreamOptions;
  live: Live;
  clock: () => Date;
  keyService: Pick<KeyService, 'kegUnits'>;
}
