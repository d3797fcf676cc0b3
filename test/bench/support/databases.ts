import { randomBytes } from 'node:crypto';
import { administer, databaseUrl } from '../../support/template.ts';
import type { BenchMilepost } from './milepost.ts';

/**
 * Creates a database on the benchmark's server. `migrated` copies Milepost's empty database, which must have no
 * connections; `plain` creates a database without tables. First runs a checkpoint, so that the next round does not have
 * to write the data of earlier rounds.
 */
export async function makeDatabase(milepost: BenchMilepost, content: 'migrated' | 'plain') {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const server = databaseUrl(milepost.url, 'postgres');
  const template = content === 'migrated' ? new URL(milepost.url).pathname.slice(1) : 'template1';
  await administer(server, [`CREATE DATABASE ${name} TEMPLATE ${template}`, 'CHECKPOINT']);
  const url = databaseUrl(milepost.url, name);
  return {
    url,
    run: async (statement: string) => await administer(url, [statement]),
    drop: async () => await administer(server, [`DROP DATABASE ${name} WITH (FORCE)`]),
  };
}
