import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';

const { CELLARMAN_URL, API_KEY, CELLAR, ITERATIONS = '200' } = __ENV;
const READINGS = 5;

export const options = {
  scenarios: {
    devices: { executor: 'shared-iterations', vus: 4, iterations: Number(ITERATIONS), maxDuration: '5m' },
  },
  thresholds: { checks: ['rate==1'] },
};

export default function () {
  const number = exec.scenario.iterationInTest;
  const timestamp = new Date().toISOString();
  const readings = Array.from({ length: READINGS }, (_, n) => ({
    cellar: CELLAR,
    rack: `device-${exec.vu.idInTest}`,
    keg: 'boiler.sequence',
    value: number * READINGS + n,
    timestamp,
  }));
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': API_KEY };
  const response = http.post(`${CELLARMAN_URL}/api/v1/ingest/batch`, JSON.stringify(readings), { headers });
  // 207 and 503 are no success.
  check(response, { 'all readings are stored': ({ status }) => status === 200 });
}
