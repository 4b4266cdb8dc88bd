/**
 * Baseline "minimal": bare, and kafkajs behind a micro-batcher of 5 ms or 500 messages; responds after acks=all.
 * No authentication, limits or validation: what a competent afternoon gives.
 *
 * `node bench/baselines/minimal.ts PORT BROKERS TOPIC`
 */
import { createServer } from 'node:http';
import { Kafka, logLevel } from 'kafkajs';
import type { Message } from 'kafkajs';

const [port = '0', brokers = '', topic = ''] = process.argv.slice(2);
const MAX_WAIT_MS = 5;
const MAX_MESSAGES = 500;

interface Reading {
  cellar: string;
  rack: string;
}

const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.ERROR });
const producer = kafka.producer({ allowAutoTopicCreation: false });
await producer.connect();

let waiting: { message: Message; resolve: () => void; reject: (error: unknown) => void }[] = [];
let timer: NodeJS.Timeout | undefined;

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const batch = waiting;
  waiting = [];
  producer.send({ topic, acks: -1, messages: batch.map(({ message }) => message) }).then(
    () => batch.forEach(({ resolve }) => resolve()),
    (error: unknown) => batch.forEach(({ reject }) => reject(error)),
  );
}

function publish(message: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.push({ message, resolve, reject });
    if (waiting.length >= MAX_MESSAGES) flush();
    else timer ??= setTimeout(flush, MAX_WAIT_MS);
  });
}

function message({ cellar, rack }: Reading, value: string): Message {
  return { key: `${cellar}/${rack}`, value };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    const body = JSON.parse(text) as Reading | Reading[];
    const published = Array.isArray(body)
      ? Promise.all(body.map((reading) => publish(message(reading, JSON.stringify(reading)))))
      : publish(message(body, text));
    published.then(
      () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            status: 'success',
            message: 'Data ingested successfully',
            timestamp: new Date().toISOString(),
          }),
        );
      },
      () => response.writeHead(503).end(),
    );
  });
});

server.listen(Number(port), '127.0.0.1');
