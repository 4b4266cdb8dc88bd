import { once } from 'node:events';
import { Agent, get, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReadiness, gracefulHttpStop } from '../src/index.ts';

const LONG = 600_000;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** An app with `/now` and with `/held`, which responds when `release` is called. */
async function startApp() {
  const app = Fastify();
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  let waiting = 0;
  app.get('/now', () => 'now');
  app.get('/held', async () => {
    waiting += 1;
    await held;
    return 'held';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanUps.push(
    () => agent.destroy(),
    () => app.server.closeAllConnections(),
    () => app.close(),
  );

  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    port,
    release: () => release(undefined),
    waiting: () => waiting,
    readiness: createReadiness(),
    ask: async (path: string, ownConnection = false) => {
      const [response] = (await once(
        get({ host: '127.0.0.1', port, path, ...(ownConnection ? { agent: false } : { agent }) }),
        'response',
      )) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return { status: response.statusCode, connection: response.headers.connection };
    },
  };
}

describe('a graceful stop', () => {
  it('is not ready immediately, and serves on with Connection: close during the delay', async () => {
    const { app, readiness, ask } = await startApp();
    expect(await ask('/now')).toEqual({ status: 200, connection: 'keep-alive' });

    void gracefulHttpStop(app, { readiness, deregistrationDelayMs: LONG, drainMs: LONG });
    expect(readiness.report().parts).toEqual({ process: { ready: false, reason: 'shutting down' } });
    expect(await ask('/now')).toEqual({ status: 200, connection: 'close' });
    // A new connection, as from a load balancer that has not noticed yet.
    expect(await ask('/now', true)).toEqual({ status: 200, connection: 'close' });
  });

  it('stops listening, lets requests in progress finish, and only then resolves', async () => {
    const { app, readiness, ask, waiting, release } = await startApp();
    const inProgress = ask('/held');
    await expect.poll(() => waiting()).toBe(1);

    let stopped = false;
    const stop = gracefulHttpStop(app, { readiness, deregistrationDelayMs: 0, drainMs: LONG }).then(
      () => (stopped = true),
    );
    await expect.poll(() => app.server.listening).toBe(false);
    await expect(ask('/now', true)).rejects.toThrow('ECONNREFUSED');
    expect(stopped).toBe(false);

    release();
    expect(await inProgress).toMatchObject({ status: 200 });
    await stop;
  });

  it('does not wait for idle connections', async () => {
    const { app, readiness, ask } = await startApp();
    expect(await ask('/now')).toEqual({ status: 200, connection: 'keep-alive' });
    await gracefulHttpStop(app, { readiness, deregistrationDelayMs: 0, drainMs: LONG });
    expect(app.server.listening).toBe(false);
    await expect(ask('/now', true)).rejects.toThrow('ECONNREFUSED');
  });

  it('cuts connections that never sent a request when the drain ends', async () => {
    const { app, port, readiness } = await startApp();
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent, 'close');

    await gracefulHttpStop(app, { readiness, deregistrationDelayMs: 0, drainMs: 50 });
    await closed;
  });

  it('cuts requests that outlast the drain', async () => {
    const { app, port, readiness, waiting } = await startApp();
    const unfinished = request({ host: '127.0.0.1', port, path: '/held' });
    const cut = once(unfinished, 'response');
    unfinished.end();
    await expect.poll(() => waiting()).toBe(1);

    await gracefulHttpStop(app, { readiness, deregistrationDelayMs: 0, drainMs: 50 });
    await expect(cut).rejects.toThrow('socket hang up');
  });

  it('closes an app that never listened', async () => {
    const app = Fastify();
    const onClose = vi.fn();
    app.addHook('onClose', onClose);
    await gracefulHttpStop(app, { readiness: createReadiness(), deregistrationDelayMs: 0, drainMs: LONG });
    expect(onClose).toHaveBeenCalledOnce();
  });
});
