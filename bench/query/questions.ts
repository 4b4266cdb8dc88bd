import { FAST } from './fill.ts';

export interface Question {
  name: string;
  /** Below `/api/v1/query/cellars/{cellar}`. */
  path: string;
  /** The same from the view `readings`, as it would be without anything kept ready. */
  fromView?: string;
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** What the dashboard asks, and the two questions that have a goal. */
export function questions(): Question[] {
  const counts = (step: number, seconds: number) => `/counts?step=${step}&from=${ago(seconds)}`;
  const countsFromView = (step: number, seconds: number) =>
    `SELECT toStartOfInterval(received_at, toIntervalSecond(${step})) AS at, count() FROM readings
     WHERE cellar = {cellar: String} AND received_at >= now64(3) - toIntervalSecond(${seconds}) GROUP BY at`;
  return [
    {
      name: 'latest values of 10,000 series',
      path: '/latest?limit=10000',
      fromView: `SELECT rack, keg, max((timestamp, value, received_at)) FROM readings WHERE cellar = {cellar: String}
        GROUP BY rack, keg ORDER BY rack, keg LIMIT 10000`,
    },
    {
      name: 'a day of one series with 86,400 readings, in 500 points',
      path: `/series?rack=${FAST.rack}&keg=${FAST.keg}&points=500&from=${ago(DAY)}`,
    },
    { name: 'overview', path: '/overview' },
    { name: 'counts of an hour by minute', path: counts(60, HOUR), fromView: countsFromView(60, HOUR) },
    { name: 'counts of a day by five minutes', path: counts(300, DAY), fromView: countsFromView(300, DAY) },
    {
      name: 'counts of a week by hour',
      path: counts(3_600, 7 * DAY),
      fromView: countsFromView(3_600, 7 * DAY),
    },
    {
      name: '50 of 1,001 racks, the silent ones first',
      path: '/racks?limit=50&sort=lastSeenAt',
      fromView: `SELECT rack, max(received_at) AS seen, countIf(received_at > now64(3) - INTERVAL 1 HOUR), uniqExact(keg)
        FROM readings WHERE cellar = {cellar: String} GROUP BY rack ORDER BY seen LIMIT 50`,
    },
    {
      name: '1,000 readings of one series',
      path: '/readings?rack=rack-0500&keg=keg-3&order=desc&limit=1000',
    },
  ];
}
