import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { programError } from './failures.ts';
import { DATABASE, SUPERUSER } from './names.ts';
import { ensurePassword } from './password.ts';
import { handOver, type Place } from './place.ts';
import { isAlive } from './process.ts';

async function isComplete(place: Place): Promise<boolean> {
  const files = await readdir(place.data).catch((): string[] => []);
  return files.includes('PG_VERSION');
}

/** Folders of initialisations whose process is gone. */
async function removeLeftovers(place: Place): Promise<void> {
  const prefix = `${basename(place.data)}.new-`;
  for (const name of await readdir(place.directory)) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    // An initdb that outlived its starter may still be writing there.
    await rm(join(place.directory, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/**
 * Makes the database cluster under `<directory>/data` when there is none. It is built beside its place and renamed when
 * it is whole, so a `data` folder that holds anything is a finished cluster, whatever was killed when.
 */
export async function ensureCluster(place: Place, durable: boolean, onInitialise: () => void): Promise<void> {
  if (await isComplete(place)) return;
  onInitialise();
  await removeLeftovers(place);
  await ensurePassword(place);
  const draft = `${place.data}.new-${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  const made = await place.program('initdb', [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${place.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]);
  if (made.code !== 0) throw programError('make a cluster', place.directory, made.output);
  const single = ['--single', '-D', draft, '-c', 'log_min_messages=error', 'postgres'];
  const created = await place.program('postgres', single, `CREATE DATABASE ${DATABASE}\n`);
  // A single-user server exits with 0 although the statement failed.
  if (created.code !== 0 || /\b(ERROR|FATAL):/.test(created.output)) {
    await rm(draft, { recursive: true, force: true });
    throw programError('make a database', place.directory, created.output);
  }
  await handOver(place, draft);
  await rename(draft, place.data).catch(async (error: unknown) => {
    // A second starter on the same directory was faster; its cluster has the same password.
    const beaten = await isComplete(place);
    await rm(draft, { recursive: true, force: true });
    if (!beaten) throw error;
  });
}
