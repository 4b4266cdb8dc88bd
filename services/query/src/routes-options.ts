import type { KeyService } from './access/key-service.ts';
import type { SelectAs } from './clickhouse/select.ts';
import type { StreamOptions } from './readings/admit-stream.ts';

/** What each group of routes needs. */
export interface RoutesOptions {
  selectAs: SelectAs;
  streams: StreamOptions;
  clock: () => Date;
  keyService: Pick<KeyService, 'kegUnits'>;
}
