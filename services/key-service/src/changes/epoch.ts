/**
 * The history that change numbers belong to, as an SQL expression.
 *
 * - The system identifier and the timeline change when another server, a promoted standby or a restored backup takes
 *   over. The timeline comes from the name of the current WAL file, because the control file shows a promotion only
 *   after the next checkpoint. On a standby it fails, as intended: a standby may be behind.
 * - The table's own number changes when a dump is restored into the same server.
 *
 * No privileges beyond the default ones are needed.
 */
export const EPOCH = `(
  (SELECT system_identifier FROM pg_control_system())
  || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || '-' || 'counter'::regclass::oid
)`;

/** How far a history has come. */
export interface Position {
  epoch: string;
  number: number;
}
