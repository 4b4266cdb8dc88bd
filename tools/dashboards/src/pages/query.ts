import type { Page } from '../page.ts';
import { of, quantile, sumOfRates } from '../promql.ts';

const DURATION = 'cellarman_query_request_duration_seconds';

export const query: Page = {
  name: 'query',
  title: 'Query',
  description: 'Reading back, for people and scripts.',
  rows: [
    {
      title: 'Questions',
      panels: [
        {
          title: 'Requests by status',
          description: '400 is also a question that was too expensive, 503 too many at a time.',
          unit: 'reqps',
          isStacked: true,
          queries: [{ expr: sumOfRates(`${DURATION}_count`, 'status'), legend: '{{status}}' }],
        },
        {
          title: 'Half of the answers take, by route',
          description: 'From the receipt of a request to the end of its answer.',
          unit: 's',
          queries: [{ expr: quantile(0.5, DURATION, 'route'), legend: '{{route}}' }],
        },
        {
          title: '1 in 100 answers takes longer than, by route',
          description: 'From the receipt of a request to the end of its answer.',
          unit: 's',
          queries: [{ expr: quantile(0.99, DURATION, 'route'), legend: '{{route}}' }],
        },
      ],
    },
    {
      title: 'Bounds',
      panels: [
        {
          title: 'Questions that ClickHouse works on',
          description: 'Bounded by MAX_QUERIES for each replica; the others wait.',
          queries: [
            { expr: of('cellarman_query_running'), legend: '{{instance}}' },
            { expr: of('cellarman_query_running_limit'), legend: 'limit of {{instance}}' },
          ],
        },
        {
          title: 'Questions that wait',
          description: 'Bounded by MAX_WAITING_QUERIES for each replica; beyond it is 503.',
          queries: [
            { expr: of('cellarman_query_waiting'), legend: '{{instance}}' },
            { expr: of('cellarman_query_waiting_limit'), legend: 'limit of {{instance}}' },
          ],
        },
      ],
    },
  ],
};
