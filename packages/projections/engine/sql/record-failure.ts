import type { Pool, Statement } from '@milepost/postgres';
import type { ProjectionFailedError, ProjectionVersionError } from '../errors.ts';

const RECORD_FAILURE: Statement = {
  name: 'record-failure',
  // Not what was promoted in its place meanwhile: nobody would take the failure of an idle projection back.
  text: `UPDATE projection.generation SET failed_position = $2, failure = $3
         WHERE projection = $1 AND version = $4 AND live`,
};

/** Writes down where and why a projection stands still, for operators and the health checks of other processes. */
export async function recordFailure(
  pool: Pool,
  failure: ProjectionFailedError | ProjectionVersionError,
): Promise<void> {
  await pool.query({
    ...RECORD_FAILURE,
    values: [failure.projection, failure.position, failure.message, failure.version],
  });
}
