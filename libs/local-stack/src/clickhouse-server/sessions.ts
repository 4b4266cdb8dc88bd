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
  /** Closes the session, or keeps it for the next request with the same `session_id`. */
  leave(): Promise<void>;
}

interface KeptSession {
  connection: EngineConnection;
  busy: boolean;
  expiry: NodeJS.Timeout | undefined;
}

const LONGEST_SESSION_SECONDS = 3_600;

export function createSessions(engine: Engine): Sessions {
  const kept = new Map<string, KeptSession>();

  function enter(session: NonNullable<RequestParameters['session']>): KeptSession {
    const known = kept.get(session.id);
    if (known?.busy) {
      throw ClickHouseException.refuse(
        'SESSION_IS_LOCKED',
        `Session ${session.id} is locked by a concurrent client`,
      );
    }
    if (known === undefined && session.mustExist) {
      throw ClickHouseException.refuse('SESSION_NOT_FOUND', `Session ${session.id} not found`);
    }
    const entered = known ?? { connection: engine.connect(), busy: true, expiry: undefined };
    entered.busy = true;
    clearTimeout(entered.expiry);
    kept.set(session.id, entered);
    return entered;
  }

  function keep(id: string, session: KeptSession, timeoutSeconds: number): void {
    session.busy = false;
    session.expiry = setTimeout(
      () => {
        kept.delete(id);
        session.connection.close();
      },
      Math.min(timeoutSeconds, LONGEST_SESSION_SECONDS) * 1000,
    );
  }

  return {
    async open(parameters) {
      const { session, settings } = parameters;
      if (session === undefined) {
        const connection = engine.connect();
        return closeOnFailure(connection, async () => {
          await apply(connection, parameters);
          return { connection, leave: async () => connection.close() };
        });
      }
      const entered = enter(session);
      let before = '';
      const leave = async (): Promise<void> => {
        try {
          // What came in the URL was for this request only; what the session SET itself stays.
          if (before !== '') await entered.connection.query(before, 'Null');
          keep(session.id, entered, session.timeoutSeconds);
        } catch (error) {
          kept.delete(session.id);
          entered.connection.close();
          throw error;
        }
      };
      try {
        const present = await presentSettings(entered.connection, settings);
        if (present.get('readonly') === '0') {
          throw ClickHouseException.refuse(
            'NOT_IMPLEMENTED',
            'readonly (a GET has it) is only offered in a session that has SET it before: it could not be taken back',
          );
        }
        before = toStatement(present);
        await apply(entered.connection, parameters);
      } catch (error) {
        await leave();
        throw error;
      }
      return { connection: entered.connection, leave };
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
  if (assignments.length > 0) await set(connection, `SET ${assignments.join(', ')}`);
}

/** Long parameters make a statement that is longer than a statement may be by default. */
async function set(connection: EngineConnection, sql: string): Promise<void> {
  const bytes = Buffer.byteLength(sql);
  const isLong = bytes > LONG_STATEMENT_BYTES;
  if (isLong) await connection.query(`SET max_query_size = ${bytes + LONG_STATEMENT_BYTES}`, 'Null');
  await connection.query(sql, 'Null');
  if (isLong) await connection.query('SET max_query_size = DEFAULT', 'Null');
}

const LONG_STATEMENT_BYTES = 200_000;

async function presentSettings(
  connection: EngineConnection,
  settings: Map<string, string>,
): Promise<Map<string, string>> {
  const present = new Map<string, string>();
  for (const name of settings.keys()) {
    const { bytes } = await connection.query(
      `SELECT value FROM system.settings WHERE name = ${quoteText(name)}`,
      'JSONEachRow',
    );
    if (bytes.length === 0) continue;
    const { value } = JSON.parse(bytes.toString()) as { value: string };
    present.set(name, value);
  }
  return present;
}

/** The statement that brings settings back to these values. */
function toStatement(settings: Map<string, string>): string {
  const assignments = [...settings].map(([name, value]) => `${settingName(name)} = ${quoteText(value)}`);
  return assignments.length > 0 ? `SET ${assignments.join(', ')}` : '';
}

function settingName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw ClickHouseException.refuse('UNKNOWN_SETTING', `Unknown setting '${name}'`);
}

async function closeOnFailure<T>(connection: EngineConnection, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    connection.close();
    throw error;
  }
}
