import type { Administrator } from '../administrators/administrators-repository.ts';

export interface Session {
  administrator: Administrator;
  /** Milliseconds since 1970. It ends then in any case. */
  endsAt: number;
}
