import { afterEach, expect, it } from 'vitest';
import { openRawSocket, parseAnswers } from '../raw-socket.ts';
import type { RawSocket } from '../raw-socket.ts';
import { post, reading, startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';

const BATCH_BYTES = 1_000_000;
/** Announced by one key, with nothing sent: five times the memory. */
const SLOW_BATCHES = 20;

let app: TestApp;
let sockets: RawSocket[] = [];

afterEach(async () => {
  for (const { socket } of sockets) socket.destroy();
  sockets = [];
  await app.close();
});

it('a key that announces more bodies than there is memory for does not keep the others from sending', async () => {
  app = await startTestApp({
    config: { MAX_BATCH_BYTES: BATCH_BYTES, MAX_BODIES_BYTES: 4 * BATCH_BYTES },
  });
  const [slow, good] = [app.keyService.addKey(), app.keyService.addKey()];
  for (const key of [slow, good]) expect((await post(app.url, key, reading())).status).toBe(200);

  let rejected = 0;
  for (let i = 0; i < SLOW_BATCHES; i++) {
    const raw = await openRawSocket(app.port);
    sockets.push(raw);
    raw.socket.on('data', (answer) => {
      if (parseAnswers(answer.toString())[0]?.status === 503) rejected++;
    });
    raw.send(
      `POST /api/v1/ingest/batch HTTP/1.1\r\nHost: test\r\nX-API-Key: ${slow}\r\nContent-Type: application/json\r\nContent-Length: ${BATCH_BYTES}\r\n\r\n`,
    );
  }
  // Its memory is used up.
  await expect.poll(() => rejected).toBeGreaterThan(SLOW_BATCHES / 2);

  for (let i = 0; i < 20; i++) expect((await post(app.url, good, reading())).status).toBe(200);
});
