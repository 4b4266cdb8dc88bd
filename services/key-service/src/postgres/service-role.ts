import { Client, escapeIdentifier } from 'pg';

/**
 * Gives the role of the service what it needs: rows of its tables, but no table, and of the audit only reading and adding.
 * Repeatable: a migration may have made tables since.
 *
 * @param databaseUrl of the role that owns the tables
 * @throws when that is the same role, because an owner can take back what it was rejected
 */
export async function grantServiceRole(databaseUrl: string, role: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'key-service migrate' });
  await client.connect();
  try {
    const { rows } = await client.query<{ owns: boolean }>(
      `SELECT pg_has_role($1, relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'audit'::regclass`,
      [role],
    );
    if (rows[0]?.owns !== false) {
      throw new Error(`The role ${role} owns the tables: migrate with another role, see docs/deployment.md`);
    }
    const to = escapeIdentifier(role);
    await client.query(`
      BEGIN;
      GRANT USAGE ON SCHEMA public TO ${to};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${to};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${to};
      REVOKE UPDATE, DELETE, TRUNCATE ON audit FROM ${to};
      REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON migrations FROM ${to};
      COMMIT;
    `);
  } finally {
    await client.end();
  }
}
