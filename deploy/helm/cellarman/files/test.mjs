// `helm test`: whether every service answers, and, with a key, whether a reading that is posted can be read back.
const { INGEST_URL, KEY_SERVICE_URL, QUERY_URL, CELLAR, API_KEY } = process.env;
const VISIBLE_WITHIN_MS = 30_000;

let failed = false;
await check('key-service is ready', () => expectStatus(`${KEY_SERVICE_URL}/readyz`, 200));
await check('the dashboard is served', () => expectStatus(`${KEY_SERVICE_URL}/`, 200));
await check('query is ready', () => expectStatus(`${QUERY_URL}/readyz`, 200));
await check('ingest asks for a key', () =>
  expectStatus(`${INGEST_URL}/api/v1/ingest`, 401, { method: 'POST' }),
);
if (CELLAR) await check('a reading that is posted can be read back', postAndReadBack);
process.exitCode = failed ? 1 : 0;

async function check(name, run) {
  try {
    await run();
    console.log(`✓ ${name}`);
  } catch (error) {
    failed = true;
    console.log(`✗ ${name}: ${error.message}${error.cause ? ` (${error.cause.message})` : ''}`);
  }
}

async function expectStatus(url, status, options = {}) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000), ...options });
  const text = await answer.text();
  if (answer.status !== status)
    throw new Error(`${url} answered ${answer.status} instead of ${status}: ${text}`);
  return text;
}

async function postAndReadBack() {
  const now = new Date();
  const timestamp = now.toISOString();
  const reading = { cellar: CELLAR, rack: 'helm-test', keg: 'round-trip', value: now.getTime(), timestamp };
  const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY };
  await expectStatus(`${INGEST_URL}/api/v1/ingest`, 200, {
    method: 'POST',
    headers,
    body: JSON.stringify(reading),
  });

  const latest = `${QUERY_URL}/api/v1/query/cellars/${CELLAR}/latest?rack=helm-test&keg=round-trip`;
  const deadline = Date.now() + VISIBLE_WITHIN_MS;
  while (Date.now() < deadline) {
    if ((await expectStatus(latest, 200, { headers })).includes(String(reading.value))) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(
    `the reading of ${timestamp} was acknowledged but cannot be read after ${VISIBLE_WITHIN_MS / 1_000} s`,
  );
}
