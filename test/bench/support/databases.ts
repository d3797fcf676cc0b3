import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { administer, databaseUrl } from '../../support/template.ts';
import type { BenchMilepost } from './milepost.ts';

interface BenchDatabase {
  url: string;
  drop: () => Promise<void>;
}

/**
 * A new database in the benchmark's server: with `migrated` a copy of Milepost's empty one (to which nothing may be
 * connected), otherwise a plain one. What rounds before left to be written is written first, so that no round pays for
 * another.
 */
export async function makeDatabase(milepost: BenchMilepost, content: 'migrated' | 'plain'): Promise<BenchDatabase> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const server = databaseUrl(milepost.url, 'postgres');
  const template = content === 'migrated' ? new URL(milepost.url).pathname.slice(1) : 'template1';
  await administer(server, [`CREATE DATABASE ${name} TEMPLATE ${template}`, 'CHECKPOINT']);
  return {
    url: databaseUrl(milepost.url, name),
    drop: async () => await administer(server, [`DROP DATABASE ${name} WITH (FORCE)`]),
  };
}

/** The id of the benchmark's PostgreSQL, from which all its other processes descend. */
export async function serverProcessId(milepost: BenchMilepost): Promise<number> {
  const file = join(milepost.directory, 'postgres', 'data', 'postmaster.pid');
  return Number.parseInt(await readFile(file, 'utf8'), 10);
}
