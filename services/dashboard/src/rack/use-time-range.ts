import { useEffect, useState } from 'react';
import { RANGES } from '../overview/ranges.ts';
import type { RackSearch } from './rack-search.ts';

/** In milliseconds since 1970. */
export interface TimeRange {
  from: number;
  to: number;
}

/** Returns the range of the search. One that ends now moves on as often as its charts refresh. */
export function useTimeRange({ range = 'hour', from, to }: RackSearch): TimeRange {
  const { seconds, refreshMs } = RANGES[range];
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), refreshMs);
    return () => clearInterval(timer);
  }, [refreshMs]);
  if (from !== undefined && to !== undefined) return { from, to };
  return { from: now - seconds * 1_000, to: now };
}
