// Asks the service in this container: `node healthcheck.mjs /livez`. It ends with 0 when the answer is 200.
import { get } from 'node:http';

const { OPERATIONS_PORT, PORT } = process.env;
const [path] = process.argv.slice(2);

get({ host: 'localhost', port: OPERATIONS_PORT || PORT, path, timeout: 4_000 }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
})
  .on('timeout', () => process.exit(1))
  .on('error', ({ message }) => {
    console.error(message);
    process.exit(1);
  });
