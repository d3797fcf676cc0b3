import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { createPool, type Pool, ROLES } from '@milepost/postgres';
import { databaseSettings } from '../config.ts';
import { databaseError, withPoolAt } from '../database.ts';

/**
 * Runs `work` with a pool for audits: in the projector's role, which may read the log and the read tables, and without the
 * limit that statements of other commands have, since a large log takes its time.
 *
 * @throws DatabaseError, DatabaseNotFoundError, SettingError
 */
export async function withAuditPool<Result>(work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const url = await locateDatabase(databaseSettings());
  return await withPoolAt(url, ROLES.projector, async (quick) => {
    // Fails where the schema is older than this program, before anything has taken long.
    await quick.query('SELECT FROM projection.audit LIMIT 1').catch((error: unknown) => {
      throw databaseError(error, url);
    });
    const pool = createPool({
      url,
      role: ROLES.projector,
      applicationName: 'milepost-audit',
      connections: 1,
      statementTimeoutMilliseconds: 0,
    });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  });
}
