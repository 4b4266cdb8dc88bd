import { connect } from 'node:net';
import { once } from 'node:events';

/** Metadata, version 1, correlation id 1, no client id, no topics. The size of the message comes first. */
const METADATA_REQUEST = Buffer.from('0000000e' + '0003' + '0001' + '00000001' + 'ffff' + '00000000', 'hex');

/**
 * Requests the metadata of a broker, as every client does first. True when the response lists a broker: the port accepts
 * connections a little earlier than that.
 */
export async function brokerResponds(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  socket.setTimeout(2_000, () => socket.destroy(new Error('no response')));
  try {
    await once(socket, 'connect');
    socket.write(METADATA_REQUEST);
    // The response: size, correlation id, number of brokers.
    let answer = Buffer.alloc(0);
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      answer = Buffer.concat([answer, chunk]);
      if (answer.length >= 12) return answer.readInt32BE(8) > 0;
    }
    return false;
  } finally {
    socket.destroy();
  }
}
