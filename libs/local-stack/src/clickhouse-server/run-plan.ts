import type { QueryResponse, Summary } from './query-response.ts';
import type { EngineConnection } from './engine.ts';
import { afterHeader, contentTypeOf } from './formats.ts';
import type { IncomingData } from './incoming-data.ts';
import type { Plan } from './plan-statement.ts';
import { quoteText } from './quote.ts';

export async function runPlan(
  connection: EngineConnection,
  plan: Plan,
  answer: QueryResponse,
  { incoming, signal }: { incoming: IncomingData; signal: AbortSignal },
): Promise<Summary> {
  if (plan.kind === 'insert') return insertData(connection, plan, incoming);
  if (plan.kind === 'insert-select') return insert(connection, plan.sql);
  answer.setHeader('X-ClickHouse-Format', plan.format);
  answer.setHeader('Content-Type', contentTypeOf(plan.format));
  if (plan.kind === 'stream') return streamBlocks(connection, plan, answer, signal);
  const { bytes, rows } = await connection.query(plan.sql, plan.format);
  await answer.write(bytes);
  return { result_rows: rows, result_bytes: bytes.length };
}

async function insertData(
  connection: EngineConnection,
  { statement, body }: Extract<Plan, { kind: 'insert' }>,
  incoming: IncomingData,
): Promise<Summary> {
  const file = await incoming.store(statement.inlineData, body);
  try {
    const source = `FROM INFILE ${quoteText(file)} COMPRESSION 'none'`;
    return await insert(
      connection,
      `${statement.target} ${source} ${statement.settings} FORMAT ${statement.format}`,
    );
  } finally {
    await incoming.remove(file);
  }
}

async function insert(connection: EngineConnection, sql: string): Promise<Summary> {
  const { rowsWritten, bytesWritten } = await connection.insert(sql);
  return { written_rows: rowsWritten, written_bytes: bytesWritten };
}

async function streamBlocks(
  connection: EngineConnection,
  { sql, format, headerLines }: Extract<Plan, { kind: 'stream' }>,
  answer: QueryResponse,
  signal: AbortSignal,
): Promise<Summary> {
  const summary = { result_rows: 0, result_bytes: 0 };
  const stream = connection.stream(sql, format);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const block = await stream.next();
      if (block === null) return summary;
      signal.throwIfAborted();
      const start = isFirst ? 0 : afterHeader(block.bytes, headerLines, format);
      const bytes = block.bytes.subarray(start);
      summary.result_rows += block.rows;
      summary.result_bytes += bytes.length;
      await answer.write(bytes);
    }
  } finally {
    stream.cancel();
  }
}
