import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import type { BenchMilepost } from './milepost.ts';

const run = promisify(execFile);

/** Asks the kernel to forget a file's pages, as GNU dd can; whoever else uses this machine keeps theirs. */
const FORGET = 'for file; do dd if="$file" iflag=nocache count=0 status=none; done';

/** Takes pages of a benchmark's database out of memory. */
export interface ColdPages {
  /** Afterwards neither the server nor the kernel has a page of the schemas' tables and indexes in memory. */
  forget: () => Promise<void>;
  end: () => Promise<void>;
}

/** Writes all that is unwritten; from here on nothing may write to the database. No table may exceed a gigabyte. */
export async function coldPages(milepost: BenchMilepost, url: string, schemas: readonly string[]): Promise<ColdPages> {
  const database = new Pool({ connectionString: url, max: 1 });
  await database.query('CREATE EXTENSION pg_buffercache');
  await database.query('CHECKPOINT');
  const { rows } = await database.query<{ path: string }>(
    `SELECT pg_relation_filepath(pg_class.oid) AS path FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = ANY($1) AND relkind IN ('r', 'i') AND pg_relation_size(pg_class.oid) > 0`,
    [schemas],
  );
  const files = rows.map(({ path }) => join(milepost.directory, 'postgres', 'data', path));
  return {
    forget: async () => {
      await database.query('SELECT pg_buffercache_evict_all()');
      await run('sh', ['-c', FORGET, 'forget', ...files]);
    },
    end: async () => await database.end(),
  };
}
