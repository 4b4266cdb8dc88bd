import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { MqttClient } from 'mqtt';
import { decodePayload, encodePayload } from '../src/sparkplug/payload.ts';
import type { Metric } from '../src/sparkplug/payload.ts';
import { startGateway } from './started-gateway.ts';
import type { StartedGateway } from './started-gateway.ts';

const AT = Date.parse('2026-11-23T12:00:00.123Z');
const timestamp = '2026-11-23T12:00:00.123Z';
const [INT8, INT16, INT32, INT64, UINT8, UINT64, FLOAT, DOUBLE, BOOLEAN, STRING] = [
  1, 2, 3, 4, 5, 8, 9, 10, 11, 12,
];

let gateway: StartedGateway;
let node: MqttClient;
beforeAll(async () => {
  gateway = await startGateway({
    SPARKPLUG_RACK: '{group}/{node}/{device}',
    SPARKPLUG_KEGS: 'Inputs/A=temperature,Serial=',
  });
  node = await gateway.connect();
});
afterAll(async () => {
  await node.endAsync();
  await gateway.stop();
});

async function publish(topic: string, metrics: Metric[], at?: number) {
  const payload = encodePayload({ metrics, ...(at !== undefined && { timestamp: String(at) }) });
  await node.publishAsync(`spBv1.0/${topic}`, payload, { qos: 1 });
}
const stored = () =>
  gateway.received.map((line) => [line['rack'], line['keg'], line['value'], line['timestamp']].join(' '));
const sent = (lines: string[]) =>
  vi.waitFor(() => expect(stored()).toEqual(expect.arrayContaining(lines)), 10_000);
const setAside = async () => {
  const lines = await readFile(join(gateway.folder, 'spool.rejected.ndjson'), 'utf8');
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { topic: string; reason: string });
};

it('maps the metrics of births and data to readings, also by alias and without data type', async () => {
  const births: Metric[] = [
    { name: 'bdSeq', datatype: INT64, longValue: '0' },
    { name: 'Node Control/Rebirth', datatype: BOOLEAN, booleanValue: false },
    { name: 'Uptime', alias: '1', datatype: UINT64, longValue: '9007199254740992' },
  ];
  await publish('plant/NBIRTH/edge', births, AT);
  const device: Metric[] = [
    { name: 'Inputs/A', alias: '2', datatype: FLOAT, floatValue: 20.1 },
    { name: 'Level', alias: '3', datatype: INT16, intValue: 0xffff_fffe },
    { name: 'Pump', alias: '4', datatype: BOOLEAN, booleanValue: true },
    { name: 'Serial', alias: '5', datatype: STRING },
    { name: 'Broken', alias: '6', datatype: DOUBLE, isNull: true },
  ];
  await publish('plant/DBIRTH/edge/press', device, AT);
  await sent([
    `plant/edge Uptime 9007199254740992 ${timestamp}`,
    `plant/edge/press temperature 20.1 ${timestamp}`,
    `plant/edge/press Level -2 ${timestamp}`,
    `plant/edge/press Pump 1 ${timestamp}`,
  ]);

  const later = AT + 1_000;
  await publish(
    'plant/DDATA/edge/press',
    [
      { alias: '2', floatValue: 0.5 },
      { alias: '3', intValue: 0xfd, datatype: INT8 },
    ],
    later,
  );
  await publish('plant/DDATA/edge/press', [{ name: 'Level', intValue: 7, timestamp: String(AT - 1) }], later);
  await publish('plant/NDATA/edge', [{ alias: '1', longValue: '12' }], later);
  await sent([
    'plant/edge/press temperature 0.5 2026-11-23T12:00:01.123Z',
    'plant/edge/press Level -3 2026-11-23T12:00:01.123Z',
    'plant/edge/press Level 7 2026-11-23T12:00:00.122Z',
    'plant/edge Uptime 12 2026-11-23T12:00:01.123Z',
  ]);
  await publish('plant/DDEATH/edge/press', []);
  expect(stored()).toHaveLength(8);
});

it('stores the other metrics of a message with an invalid one, which is counted and set aside', async () => {
  const before = await rejectedCount();
  const metrics: Metric[] = [
    { name: 'Text', datatype: STRING },
    { name: 'Large', datatype: INT64, longValue: '9007199254740993' },
    { name: 'Endless', datatype: DOUBLE, doubleValue: Infinity },
    { name: 'Negative', datatype: INT32, intValue: 0xffff_ffff },
    { name: 'Small', datatype: UINT8, intValue: 255 },
  ];
  await publish('plant/NBIRTH/mixed', metrics, AT);
  await sent([`plant/mixed Negative -1 ${timestamp}`, `plant/mixed Small 255 ${timestamp}`]);
  const { topic, reason } = (await setAside()).at(-1) ?? {};
  expect(topic).toBe('spBv1.0/plant/NBIRTH/mixed');
  expect(reason).toContain('Text: the data type 12 is neither a number nor a Boolean');
  expect(reason).toContain('Large: value');
  expect(reason).toContain('Endless: value');
  expect(await rejectedCount()).toBe(before + 3);
});

it('requests the births of an edge node whose aliases it does not know, and nobody else can send commands', async () => {
  const other = await gateway.connect();
  await other.subscribeAsync('spBv1.0/plant/NCMD/lost', { qos: 1 });
  await expect(other.subscribeAsync('spBv1.0/plant/DDATA/#')).rejects.toThrow();
  await expect(other.subscribeAsync('#')).rejects.toThrow();
  await node.publishAsync('spBv1.0/plant/NCMD/lost', 'forged', { qos: 1 });
  const commanded = new Promise<[string, Buffer]>((resolve) =>
    other.once('message', (of, command) => resolve([of, command])),
  );
  await publish('plant/NDATA/lost', [{ alias: '1', longValue: '1' }], AT);
  const [topic, payload] = await commanded;
  expect(topic).toBe('spBv1.0/plant/NCMD/lost');
  expect(decodePayload(payload).metrics).toEqual([
    { name: 'Node Control/Rebirth', datatype: BOOLEAN, booleanValue: true },
  ]);
  expect((await setAside()).slice(-2).map(({ reason }) => reason)).toEqual([
    'the topic is not one of births, data and deaths',
    'the edge node has sent no NBIRTH',
  ]);
  // An alias is valid until the next NBIRTH.
  await publish('plant/NBIRTH/lost', [{ name: 'a', alias: '1', datatype: DOUBLE, doubleValue: 1 }], AT);
  await publish('plant/NBIRTH/lost', [{ name: 'b', alias: '2', datatype: DOUBLE, doubleValue: 1 }], AT);
  await publish('plant/NDATA/lost', [{ alias: '1', doubleValue: 2 }], AT);
  expect((await setAside()).at(-1)?.reason).toBe('alias 1: no birth had it');
  await node.publishAsync('spBv1.0/plant/NDATA/lost', Buffer.from([0xff, 0xff]), { qos: 1 });
  expect((await setAside()).at(-1)?.reason).toBe('the payload is not one of Sparkplug B');
  await other.endAsync();
});

async function rejectedCount(): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const [, count] =
    /^cellarman_gateway_readings_total\{[^}]*protocol="mqtt",outcome="rejected"[^}]*\} (\d+)/m.exec(
      metrics,
    ) ?? [];
  return Number(count ?? 0);
}
