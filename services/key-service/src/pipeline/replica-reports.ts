import type { IngestHealth, SinkHealth } from '@cellarman/contracts';
import type { Queryable } from '../postgres/database.ts';
import { historyOf, RECORD_HISTORY } from './pipeline-history.ts';

/** A replica that has reported nothing for longer is shown as silent. Reports come every two seconds. */
export const SILENT_AFTER_MS = 10_000;
/** A silent replica is listed for this long, and then forgotten. */
const KEPT_HOURS = 1;

export interface Reported<Health> {
  /** Of the report, by the clock of the database. */
  ageMs: number;
  report: Health;
}

export interface ReplicaReports {
  recordIngest(report: IngestHealth): Promise<void>;
  recordSink(report: SinkHealth): Promise<void>;
  latest(): Promise<{ ingest: Reported<IngestHealth>[]; sink: Reported<SinkHealth>[] }>;
  prune(): Promise<void>;
}

interface RowOf<Service, Report> {
  host: string;
  age_ms: number;
  service: Service;
  report: Report;
}
type Row = RowOf<'ingest', IngestHealth> | RowOf<'sink', SinkHealth>;

/** The latest report of each replica, and their history. Every replica of key-service sees those that the others received. */
export function createReplicaReports({ database }: { database: Queryable }): ReplicaReports {
  async function record(service: Row['service'], report: IngestHealth | SinkHealth): Promise<void> {
    const { process, host, isStopping } = report;
    if (isStopping) {
      await database.query('DELETE FROM replica_reports WHERE process = $1', [process]);
      return;
    }
    // A new process takes the place of one that was killed on the same host.
    await database.query(
      `WITH replaced AS (
         DELETE FROM replica_reports
         WHERE service = $2 AND host = $3 AND process <> $1
           AND reported_at < now() - $5 * interval '1 ms'
       ), history AS (${RECORD_HISTORY})
       INSERT INTO replica_reports (process, service, host, report) VALUES ($1, $2, $3, $4)
       ON CONFLICT (process) DO UPDATE SET reported_at = now(), report = EXCLUDED.report`,
      [process, service, host, JSON.stringify(report), SILENT_AFTER_MS, JSON.stringify(historyOf(report))],
    );
  }

  return {
    recordIngest: (report) => record('ingest', report),
    recordSink: (report) => record('sink', report),
    async latest() {
      const rows = await database.query<Row>(
        `SELECT service, host, report, extract(epoch FROM now() - reported_at)::float8 * 1000 AS age_ms
         FROM replica_reports
         WHERE reported_at > now() - make_interval(hours => $1)
         ORDER BY service, host, process`,
        [KEPT_HOURS],
      );
      return {
        ingest: rows.flatMap((row) =>
          row.service === 'ingest' ? [{ ageMs: Math.max(0, row.age_ms), report: row.report }] : [],
        ),
        sink: rows.flatMap((row) =>
          row.service === 'sink' ? [{ ageMs: Math.max(0, row.age_ms), report: row.report }] : [],
        ),
      };
    },
    async prune() {
      await database.query(
        'DELETE FROM replica_reports WHERE reported_at < now() - make_interval(hours => $1)',
        [KEPT_HOURS],
      );
    },
  };
}
