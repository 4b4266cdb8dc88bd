import { ClickHouseException } from './clickhouse-exception.ts';
import type { Engine, EngineConnection } from './engine.ts';
import { quoteIdentifier, quoteText } from './quote.ts';
import type { RequestParameters } from './request-parameters.ts';

/**
 * Gives each request a session of the engine that holds its database, settings and parameters.
 * A request without `session_id` gets a new one, so nothing that it sets can reach another request.
 */
export interface Sessions {
  open(parameters: RequestParameters): Promise<OpenSession>;
  /** Closes the kept ones. Nothing may run on them any more. */
  close(): void;
}

export interface OpenSession {
  connection: EngineConnection;
  /** Closes the session, or keeps it for a minute for the next request with the same `session_id`. */
  leave(): void;
}

interface KeptSession {
  connection: EngineConnection;
  busy: boolean;
  expiry?: NodeJS.Timeout;
}

const KEPT_MS = 60_000;

export function createSessions(engine: Engine): Sessions {
  const kept = new Map<string, KeptSession>();

  function enter(id: string): KeptSession {
    const session = kept.get(id) ?? { connection: engine.connect(), busy: false };
    if (session.busy) {
      throw ClickHouseException.reject('SESSION_IS_LOCKED', `Session ${id} is locked by a concurrent client`);
    }
    session.busy = true;
    clearTimeout(session.expiry);
    kept.set(id, session);
    return session;
  }

  function keep(id: string, session: KeptSession): void {
    session.busy = false;
    session.expiry = setTimeout(() => {
      kept.delete(id);
      session.connection.close();
    }, KEPT_MS);
  }

  return {
    async open(parameters) {
      const { sessionId } = parameters;
      const session = sessionId === undefined ? undefined : enter(sessionId);
      const connection = session?.connection ?? engine.connect();
      const leave = (): void => {
        if (sessionId === undefined || session === undefined) connection.close();
        else keep(sessionId, session);
      };
      try {
        // On ClickHouse settings in the URL of a session are for one request; here the session keeps them.
        await apply(connection, parameters);
      } catch (error) {
        leave();
        throw error;
      }
      return { connection, leave };
    },
    close() {
      for (const session of kept.values()) {
        clearTimeout(session.expiry);
        session.connection.close();
      }
      kept.clear();
    },
  };
}

async function apply(connection: EngineConnection, parameters: RequestParameters): Promise<void> {
  if (parameters.database !== undefined) {
    await connection.query(`USE ${quoteIdentifier(parameters.database)}`, 'Null');
  }
  const assignments: string[] = [];
  for (const [name, value] of parameters.bindings) {
    assignments.push(`${settingName(`param_${name}`)} = ${quoteText(value)}`);
  }
  for (const [name, value] of parameters.settings) {
    assignments.push(`${settingName(name)} = ${quoteText(value)}`);
  }
  if (assignments.length > 0) await connection.query(`SET ${assignments.join(', ')}`, 'Null');
}

function settingName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw ClickHouseException.reject('UNKNOWN_SETTING', `Unknown setting '${name}'`);
}
