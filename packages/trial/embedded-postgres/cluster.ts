import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { programError } from './failures.ts';
import { DATABASE, SUPERUSER } from './files.ts';
import { chownTo, type Place } from './place.ts';

/** Creates the superuser's password in `<directory>/password`. Only the owner can read the file. */
async function createPassword(place: Place): Promise<void> {
  const draft = `${place.passwordFile}.new`;
  await writeFile(draft, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  await chownTo(place, draft);
  await rename(draft, place.passwordFile);
}

/**
 * Creates the database cluster under `<directory>/data` if it does not exist. The cluster is created in another folder,
 * which is renamed when the cluster is complete. A `data` folder with any content is therefore a complete cluster, even
 * if an earlier start was interrupted.
 */
export async function ensureCluster(place: Place, durable: boolean, log: (message: string) => void): Promise<void> {
  const files = await readdir(place.data).catch((): string[] => []);
  if (files.includes('PG_VERSION')) return;
  log(`Creating a database under ${place.directory}.`);
  const prefix = `${basename(place.data)}.new-`;
  const names = await readdir(place.directory);
  for (const name of names) {
    // A killed process's initdb may still be writing to its folder, so the removal is retried.
    const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
    if (name.startsWith(prefix)) await rm(join(place.directory, name), options);
  }
  if (!names.includes(basename(place.passwordFile))) await createPassword(place);
  const draft = join(place.directory, `${prefix}${process.pid}`);
  try {
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
      throw programError('make a database', place.directory, created.output);
    }
    await chownTo(place, draft);
    await rename(draft, place.data);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
