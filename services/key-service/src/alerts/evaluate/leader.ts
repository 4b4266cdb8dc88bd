import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../postgres/database.ts';

/** The lease of the one replica that evaluates the alert rules. */
export interface Leader {
  /** Whether this replica held the lease at its last attempt. */
  isHeld(): boolean;
  /** Takes the lease if it is free, or prolongs it. */
  acquire(): Promise<boolean>;
  /** Rolls a transaction back unless this replica has the lease until the transaction ends. */
  require(transaction: Queryable): Promise<void>;
  /** Lets another replica take it immediately. */
  release(): Promise<void>;
}

export class LeaseLost extends Error {
  constructor() {
    super('another replica evaluates the alert rules');
    this.name = 'LeaseLost';
  }
}

/** All times are those of the database, so clocks of replicas do not matter. */
export function createLeader(options: { database: Queryable; leaseSeconds: number }): Leader {
  const { database, leaseSeconds } = options;
  const holder = randomUUID();
  let isHeld = false;
  return {
    isHeld: () => isHeld,

    async acquire() {
      isHeld = false;
      const rows = await database.query(
        `UPDATE alert_leader SET holder = $1, until = now() + make_interval(secs => $2)
         WHERE holder = $1 OR until < now() RETURNING holder`,
        [holder, leaseSeconds],
      );
      isHeld = rows.length > 0;
      return isHeld;
    },

    async require(transaction) {
      // The lock keeps a process that was suspended from writing what it observed before another one took over.
      const rows = await transaction.query(
        `SELECT FROM alert_leader WHERE holder = $1 AND until > now() FOR SHARE`,
        [holder],
      );
      if (rows.length === 0) throw new LeaseLost();
    },

    async release() {
      isHeld = false;
      await database.query(`UPDATE alert_leader SET until = '-infinity' WHERE holder = $1`, [holder]);
    },
  };
}
