import { ROLES } from '@milepost/postgres';
import { migrate, NewerSchemaError } from '@milepost/postgres/migrations';
import { prepareGenerations } from '@milepost/projection-engine';
import { PROJECTIONS } from '@milepost/read-models/projections';
import { databaseError, withPoolAt } from './database.ts';

/** Brings a database to this release's schema and gives every projection its first read table. Safe to repeat. */
export async function prepareDatabase(url: string): Promise<void> {
  await migrate(url).catch((error: unknown) => {
    throw error instanceof NewerSchemaError ? error : databaseError(error, url);
  });
  await withPoolAt(url, ROLES.projector, (pool) => prepareGenerations(pool, PROJECTIONS));
}
