import { prepareQueue } from '@milepost/ops/queue';
import { type LoginPasswords, ROLES } from '@milepost/postgres';
import { migrate, NewerSchemaError } from '@milepost/postgres/migrations';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { databaseError, withPoolAt } from './database.ts';

/**
 * Brings a database to this release's schema, and the queue's, makes the processes' logins and gives every projection its
 * first read table. Safe to repeat.
 *
 * @param url a login that owns the database and may create roles
 * @param passwords a login is made for each
 */
export async function prepareDatabase(url: string, passwords: LoginPasswords): Promise<void> {
  await migrate(url, passwords).catch((error: unknown) => {
    throw error instanceof NewerSchemaError ? error : databaseError(error, url);
  });
  await withPoolAt(url, undefined, prepareQueue);
  await withPoolAt(url, ROLES.projector, (pool) => prepareGenerations(pool, PROJECTIONS));
}
