import type { Page } from '../page.ts';
import { middleAndWorst, of, quantile, sumOfRates } from '../promql.ts';

const DURATION = 'cellarman_key_service_request_duration_seconds';

export const keys: Page = {
  name: 'keys',
  title: 'Keys',
  description: 'API keys: who may send, how soon a revocation counts, and key-service itself.',
  rows: [
    {
      title: 'Trust',
      panels: [
        {
          title: 'Age of what ingest knows of keys',
          description: 'A revoked key is accepted for so long. An alert fires above a minute.',
          unit: 's',
          badFrom: 60,
          queries: [{ expr: of('cellarman_ingest_keys_age_seconds'), legend: '{{instance}}' }],
        },
        {
          title: 'Age of what key-service knows of PostgreSQL',
          description: 'Since when changes could not be asked for. An alert fires above 30 s.',
          unit: 's',
          badFrom: 30,
          queries: [{ expr: of('cellarman_key_service_changes_age_seconds'), legend: '{{instance}}' }],
        },
        {
          title: 'Number of the last change',
          description: 'All replicas have the same after a moment.',
          queries: [{ expr: of('cellarman_key_service_changes_number'), legend: '{{instance}}' }],
        },
        {
          title: 'Keys that expire within 7 days',
          description: 'Those that were used within the last day. An alert fires above 0.',
          badFrom: 1,
          queries: [{ expr: `max(${of('cellarman_key_service_expiring_keys')})`, legend: 'keys' }],
        },
      ],
    },
    {
      title: 'Look-ups',
      panels: [
        {
          title: 'Look-ups by who answered',
          description: '`unknown`: a key that does not exist, answered from memory.',
          unit: 'cps',
          isStacked: true,
          queries: [
            { expr: sumOfRates('cellarman_key_service_look_ups_total', 'source'), legend: '{{source}}' },
          ],
        },
        {
          title: 'Failed commands to Redis',
          description: 'PostgreSQL answered instead. An alert fires above 0.',
          unit: 'cps',
          queries: [{ expr: sumOfRates('cellarman_key_service_copy_errors_total'), legend: 'commands' }],
        },
        {
          title: 'Keys in the memory of ingest',
          description: 'Bounded by KEY_CACHE_SIZE.',
          queries: [{ expr: of('cellarman_ingest_cached_keys'), legend: '{{instance}}' }],
        },
        {
          title: 'Refused for their key',
          description:
            'Wrong, expired and revoked keys, those for something else, and those over their limit.',
          unit: 'reqps',
          isStacked: true,
          queries: [
            {
              expr: sumOfRates(
                'cellarman_ingest_answers_total',
                'outcome',
                'outcome=~"unauthorized|cellar_mismatch|rack_mismatch|insufficient_scope|rate_limited"',
              ),
              legend: '{{outcome}}',
            },
          ],
        },
      ],
    },
    {
      title: 'key-service',
      panels: [
        {
          title: 'Requests by status',
          description: 'The dashboard, scripts, and the other services.',
          unit: 'reqps',
          isStacked: true,
          queries: [{ expr: sumOfRates(`${DURATION}_count`, 'status'), legend: '{{status}}' }],
        },
        {
          title: 'Slowest routes',
          description: 'What 1 in 100 requests exceeds.',
          unit: 's',
          queries: [{ expr: `topk(5, ${quantile(0.99, DURATION, 'route')})`, legend: '{{route}}' }],
        },
      ],
    },
    {
      title: 'Engines of key-service',
      panels: [
        {
          title: 'Connections to PostgreSQL in use',
          description:
            'Bounded by DATABASE_CONNECTIONS: half for look-ups, a tenth for people who are not signed in. At 100 % requests wait.',
          unit: 'percentunit',
          badFrom: 1,
          queries: [
            {
              expr: `${of('cellarman_key_service_database_connections')} / ${of('cellarman_key_service_database_connections_limit')}`,
              legend: '{{pool}}, {{instance}}',
            },
          ],
        },
        {
          title: 'Requests that wait for PostgreSQL',
          description: 'Of those that may wait. At 100 % more are refused with 503.',
          unit: 'percentunit',
          badFrom: 1,
          queries: [
            {
              expr: `${of('cellarman_key_service_database_waiting')} / ${of('cellarman_key_service_database_waiting_limit')}`,
              legend: '{{pool}}, {{instance}}',
            },
          ],
        },
        {
          title: 'One command to Redis',
          description: 'About copies of keys. After 200 ms PostgreSQL is asked instead.',
          unit: 's',
          badFrom: 0.2,
          queries: middleAndWorst('cellarman_key_service_redis_duration_seconds'),
        },
      ],
    },
  ],
};
