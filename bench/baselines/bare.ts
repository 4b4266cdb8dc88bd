/**
 * Baseline "bare": the limit of a Node HTTP server. Reads the body, parses it, responds as ingest does; stores nothing.
 *
 * `node bench/baselines/bare.ts PORT`
 */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        status: 'success',
        message: 'Data ingested successfully',
        timestamp: new Date().toISOString(),
      }),
    );
  });
});

server.listen(Number(process.argv[2]), '127.0.0.1');
