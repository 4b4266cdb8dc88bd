import type { Socket } from 'node:net';

/** Of a packet. aedes itself would buffer 256 MiB, also for a client that has not connected yet. */
const MAX_PACKET_BYTES = 65_536;

interface Parser {
  parse(chunk: Buffer): number;
  packet: { length: number };
}

/** Closes the connection as soon as the header of a packet says that it is too large. */
export function boundPackets(client: object, socket: Socket): void {
  const parser = (client as { _parser: Parser })._parser;
  const parse = parser.parse.bind(parser);
  parser.parse = (chunk) => {
    const rest = parse(chunk);
    if (parser.packet.length > MAX_PACKET_BYTES)
      socket.destroy(new Error(`an MQTT packet must have at most ${MAX_PACKET_BYTES} bytes`));
    return rest;
  };
}
