import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isForeign } from './foreign-request.ts';
import type { QueryHandler } from './handle-query.ts';

export interface HttpServerParts {
  timezone: string;
  handleQuery: QueryHandler;
}

/** The routes of ClickHouse's HTTP interface: `/ping`, `/replicas_status` and queries at `/`. */
export function createHttpServer({ timezone, handleQuery }: HttpServerParts): Server {
  return createServer(serverOptions, (request, response) => {
    response.setHeader('X-ClickHouse-Server-Display-Name', 'cellarman-local-stack');
    response.setHeader('X-ClickHouse-Timezone', timezone);
    if (isForeign(request)) {
      response.writeHead(403, { 'Content-Type': 'text/plain; charset=UTF-8', Connection: 'close' });
      response.end('Requests of other sites and for other hosts are rejected.\n');
      return;
    }
    const [path, search] = (request.url ?? '/').split('?', 2);
    if (path === '/ping' || path === '/replicas_status' || isGreeting(request, path, search)) {
      response.setHeader('Content-Type', 'text/html; charset=UTF-8');
      response.end('Ok.\n');
    } else if (path === '/') {
      handleQuery(request, response).catch((error: unknown) => {
        process.stderr.write(`${request.method} ${path}: ${String(error)}\n`);
        response.destroy();
      });
    } else {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=UTF-8' });
      response.end(`There is no handle ${path}\nUse / or /ping for health checks.\n`);
    }
  });
}

const serverOptions = {
  keepAliveTimeout: 10_000,
  // A long INSERT may take its time. One that stalls is ended where the body is read.
  requestTimeout: 0,
  // ClickHouse allows URLs of 1 MiB, which carry query parameters.
  maxHeaderSize: 1024 * 1024,
};

function isGreeting(request: IncomingMessage, path?: string, search?: string): boolean {
  return path === '/' && search === undefined && request.method === 'GET';
}
