import type { Logger } from '@cellarman/telemetry';
import type { PublishPacket } from 'aedes';
import { encodePayload } from './payload.ts';

/** Topics that an edge node subscribes to. No host state is sent, because the gateway is not a primary host. */
export const COMMANDS = /^(?:spBv1\.0\/(?:[^/]+\/[ND]CMD\/|STATE\/)|STATE\/)/;

const BOOLEAN = 11;
const AGAIN_MS = 10_000;
const MOST_NODES = 1_000;

/** Returns a function that commands an edge node to send its births, as after a restart of the gateway behind a bridge. */
export function createRequestRebirth(publish: (packet: PublishPacket) => void, logger: Logger) {
  const requested = new Map<string, number>();
  return ({ group, node }: { group: string; node: string }): void => {
    const topic = `spBv1.0/${group}/NCMD/${node}`;
    const now = performance.now();
    if (now - (requested.get(topic) ?? -Infinity) < AGAIN_MS) return;
    if (requested.size >= MOST_NODES) requested.clear();
    requested.set(topic, now);
    logger.info({ group, node }, 'requesting the births of a Sparkplug edge node');
    const payload = encodePayload({
      timestamp: String(Date.now()),
      metrics: [{ name: 'Node Control/Rebirth', datatype: BOOLEAN, booleanValue: true }],
    });
    publish({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false });
  };
}
