// Asks the service in this container: `node healthcheck.mjs /livez`. It ends with 0 when the answer is 200.
import http from 'node:http';
import https from 'node:https';

const { INTERNAL_PORT, OPERATIONS_PORT, PORT, TLS_CERT_FILE } = process.env;
const [path] = process.argv.slice(2);

const options = { host: 'localhost', port: INTERNAL_PORT || OPERATIONS_PORT || PORT, path, timeout: 4_000 };
// Nobody stands between this container and itself, and the certificate is for another name.
(TLS_CERT_FILE ? https : http)
  .get({ ...options, rejectUnauthorized: false }, ({ statusCode }) => {
    process.exit(statusCode === 200 ? 0 : 1);
  })
  .on('timeout', () => process.exit(1))
  .on('error', ({ message }) => {
    console.error(message);
    process.exit(1);
  });
