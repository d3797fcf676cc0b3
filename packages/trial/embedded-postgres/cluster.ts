import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { programError } from './failures.ts';
import { DATABASE, SUPERUSER } from './names.ts';
import { ensurePassword } from './password.ts';
import { chownTo, type Place } from './place.ts';
import { isAlive } from './process.ts';

async function isComplete(place: Place): Promise<boolean> {
  const files = await readdir(place.data).catch((): string[] => []);
  return files.includes('PG_VERSION');
}

/** Removes the folders that earlier processes left behind when they ended during an initialisation. */
async function removeLeftovers(place: Place): Promise<void> {
  const prefix = `${basename(place.data)}.new-`;
  for (const name of await readdir(place.directory)) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    // An initdb may outlive the process that started it and still write into the folder, so the removal is retried.
    await rm(join(place.directory, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/**
 * Creates the database cluster under `<directory>/data` if it does not exist. The cluster is created in another folder,
 * which is renamed when the cluster is complete. A `data` folder with any content is therefore a complete cluster, even
 * if a process was killed before.
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
  // A single-user server exits with 0 even when the statement fails.
  if (created.code !== 0 || /\b(ERROR|FATAL):/.test(created.output)) {
    await rm(draft, { recursive: true, force: true });
    throw programError('make a database', place.directory, created.output);
  }
  await chownTo(place, draft);
  await rename(draft, place.data).catch(async (error: unknown) => {
    // Another process may have created the cluster first. That cluster is kept, because it has the same password.
    const beaten = await isComplete(place);
    await rm(draft, { recursive: true, force: true });
    if (!beaten) throw error;
  });
}
