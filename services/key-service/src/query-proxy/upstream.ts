import { ApiError } from '@cellarman/http-api';
import { Agent } from 'undici';

export interface Upstream {
  agent: Agent;
  /**
   * @param credentials of the client, to limit its share
   * @returns what releases the connection
   * @throws {ApiError} `unavailable`
   */
  take: (credentials: string) => () => void;
}

export interface UpstreamOptions {
  connections: number;
  /** Of them, those of one session or key. */
  connectionsOfOne: number;
  /** How long the response may take to begin. */
  headersMs: number;
  /** Between two parts of a response. */
  silenceMs: number;
}

const CONNECT_MS = 2_000;

/** Connections to query, shared fairly between clients. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { connections, connectionsOfOne, headersMs, silenceMs } = options;
  const held = new Map<string, number>();
  return {
    agent: new Agent({
      connections,
      connect: { timeout: CONNECT_MS },
      headersTimeout: headersMs,
      bodyTimeout: silenceMs,
    }),
    take(credentials) {
      const count = held.get(credentials) ?? 0;
      if (count >= connectionsOfOne) {
        throw new ApiError('unavailable', 'Too many concurrent queries. Try again.');
      }
      held.set(credentials, count + 1);
      return () => {
        const left = (held.get(credentials) ?? 1) - 1;
        if (left === 0) held.delete(credentials);
        else held.set(credentials, left);
      };
    },
  };
}
