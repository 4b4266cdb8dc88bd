import type { Answer, Summary } from './answer.ts';
import { ClickHouseException, NO_DATA_TO_INSERT } from './clickhouse-exception.ts';
import type { EngineConnection } from './engine.ts';
import { afterHeader, contentTypeOf } from './formats.ts';
import type { Plan } from './plan-statement.ts';

export async function runPlan(
  connection: EngineConnection,
  plan: Plan,
  answer: Answer,
  signal: AbortSignal,
): Promise<Summary> {
  if (plan.kind === 'insert') return insertPieces(connection, plan);
  answer.setHeader('X-ClickHouse-Format', plan.format);
  answer.setHeader('Content-Type', contentTypeOf(plan.format));
  if (plan.kind === 'stream') return streamBlocks(connection, plan, answer, signal);
  const { bytes, rows } = await connection.query(plan.sql, plan.format);
  await answer.write(bytes);
  return { result_rows: rows, result_bytes: bytes.length };
}

async function insertPieces(
  connection: EngineConnection,
  { head, pieces }: Extract<Plan, { kind: 'insert' }>,
): Promise<Summary> {
  const summary = { written_rows: 0, written_bytes: 0 };
  let empty = true;
  for await (const piece of pieces) {
    empty = false;
    await insert(connection, head, piece, summary);
  }
  // INSERT … SELECT has no data and must run all the same.
  if (empty) await insert(connection, head, Buffer.alloc(0), summary);
  return summary;
}

async function insert(
  connection: EngineConnection,
  head: string,
  data: Buffer,
  summary: { written_rows: number; written_bytes: number },
): Promise<void> {
  try {
    const written = await connection.insert(head, data);
    summary.written_rows += written.rowsWritten;
    summary.written_bytes += written.bytesWritten;
  } catch (error) {
    // Over HTTP an INSERT of nothing succeeds.
    if (error instanceof ClickHouseException && error.code === NO_DATA_TO_INSERT) return;
    throw error;
  }
}

async function streamBlocks(
  connection: EngineConnection,
  { sql, format, headerLines }: Extract<Plan, { kind: 'stream' }>,
  answer: Answer,
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
