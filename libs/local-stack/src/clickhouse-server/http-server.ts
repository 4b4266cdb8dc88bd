import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface HttpServerParts {
  timezone: string;
  handleQuery: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** The routes of ClickHouse's HTTP interface: `/ping`, `/replicas_status` and queries at `/`. */
export function createHttpServer({ timezone, handleQuery }: HttpServerParts): Server {
  return createServer({ keepAliveTimeout: 10_000 }, (request, response) => {
    response.setHeader('X-ClickHouse-Server-Display-Name', 'cellarman-local-stack');
    response.setHeader('X-ClickHouse-Timezone', timezone);
    const [path, search] = (request.url ?? '/').split('?', 2);
    if (path === '/ping' || path === '/replicas_status' || isGreeting(request, path, search)) {
      response.setHeader('Content-Type', 'text/html; charset=UTF-8');
      response.end('Ok.\n');
    } else if (path === '/') {
      void handleQuery(request, response);
    } else {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=UTF-8' });
      response.end(`There is no handle ${path}\nUse / or /ping for health checks.\n`);
    }
  });
}

function isGreeting(request: IncomingMessage, path?: string, search?: string): boolean {
  return path === '/' && search === undefined && request.method === 'GET';
}
