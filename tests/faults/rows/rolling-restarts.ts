import { replace } from '../faults/processes.ts';
import type { Row } from '../row.ts';

const RESTARTS = 50;
/** So that requests are always under way while a replica stops: 1,500 readings a second in 800 requests. */
const LOAD = { clients: 32, rate: 1_500, batch: 3 };

/** Two rounds, because a call takes ten minutes at most. */
export const rollingRestarts: Row = {
  name: 'rolling-restarts',
  title: '100 rolling restarts of two ingest replicas behind a proxy',
  goal: '0 failed requests; 0 missing, 0 duplicated, 0 altered. The proxy is HAProxy (`apt-get install haproxy`)',
  parts: ['first', 'second'].map((half) => ({
    name: `${half} ${RESTARTS}`,
    minutes: 9,
    harness: {
      ingestReplicas: 2,
      isBalanced: true,
      // Longer than the proxy takes to notice that a replica is not ready.
      env: { ingest: { DEREGISTRATION_DELAY_MS: '1500' } },
    },
    round: {
      name: `${RESTARTS} rolling restarts`,
      load: LOAD,
      bounds: { failedRequests: 0 },
      async fault(run) {
        for (let i = 0; i < RESTARTS; i++) {
          await replace(run, 'ingest', 'SIGTERM', i % 2);
          await run.acknowledgedGrows(500);
        }
      },
    },
  })),
};
