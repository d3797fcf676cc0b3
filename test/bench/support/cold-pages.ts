import { join } from 'node:path';
import { execute } from '../../support/execute.ts';
import { type BenchMilepost, openOwner } from './milepost.ts';

/** Uses GNU dd to make the kernel drop these files' cached pages. Other files' pages stay cached. */
const EVICT_FILES = 'for file; do dd if="$file" iflag=nocache count=0 status=none; done';

/**
 * Returns functions that evict the pages of a benchmark's database from memory. Runs a checkpoint. After this call, the
 * database must not be changed. No table may be larger than one gigabyte.
 */
export async function coldPages(milepost: BenchMilepost, url: string, schemas: readonly string[]) {
  const database = openOwner(url);
  await database.query('CREATE EXTENSION pg_buffercache');
  await database.query('CHECKPOINT');
  const { rows } = await database.query<{ path: string }>(
    `SELECT pg_relation_filepath(pg_class.oid) AS path FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = ANY($1) AND relkind IN ('r', 'i') AND pg_relation_size(pg_class.oid) > 0`,
    [schemas],
  );
  const files = rows.map(({ path }) => join(milepost.directory, 'postgres', 'data', path));
  return {
    /** Evicts all pages of the schemas' tables and indexes from the memory of both the server and the kernel. */
    evict: async () => {
      await database.query('SELECT pg_buffercache_evict_all()');
      await execute('sh', ['-c', EVICT_FILES, 'evict', ...files]);
    },
    end: async () => await database.end(),
  };
}
