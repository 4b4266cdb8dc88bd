import { FAST } from './fill.ts';

export interface TimedQuery {
  name: string;
  /** Below `/api/v1/query/cellars/{cellar}`. */
  path: string;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

/** The queries of the dashboard. */
export function queries(): TimedQuery[] {
  const counts = (step: number, seconds: number) => `/counts?step=${step}&from=${ago(seconds)}`;
  return [
    { name: 'latest values of 10,000 series', path: '/latest?limit=10000' },
    {
      name: 'a day of one series with 86,400 readings, in 500 points',
      path: `/series?rack=${FAST.rack}&keg=${FAST.keg}&points=500&from=${ago(DAY)}`,
    },
    { name: 'overview', path: '/overview' },
    { name: 'counts of an hour by minute', path: counts(60, HOUR) },
    { name: 'counts of a day by five minutes', path: counts(300, DAY) },
    { name: 'counts of a week by hour', path: counts(3_600, 7 * DAY) },
    { name: '50 of 1,001 racks, the silent ones first', path: '/racks?limit=50&sort=lastSeenAt' },
    {
      name: '1,000 readings of one series',
      path: '/readings?rack=rack-0500&keg=keg-3&order=desc&limit=1000',
    },
  ];
}
