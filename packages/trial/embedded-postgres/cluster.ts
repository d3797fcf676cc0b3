import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EMBEDDED_NAME } from '@milepost/postgres/embedded';
import { programError } from './failures.ts';
import { chownTo, replaceFile } from './files.ts';
import type { Server } from './prepare-server.ts';

/**
 * Creates the database cluster under `<directory>/data` if it does not exist, with the superuser's password from
 * `<directory>/password`, which is created too if it does not exist. The cluster is created in another folder, which is
 * renamed when the cluster is complete. A `data` folder with any content is therefore a complete cluster, even if an
 * earlier start was interrupted.
 */
export async function ensureCluster(server: Server): Promise<void> {
  const { directory, data, passwordFile, account, settings, log } = server;
  const files = await readdir(data).catch((): string[] => []);
  if (files.includes('PG_VERSION')) return;
  log(`Creating a database under ${directory}.`);
  const prefix = `${basename(data)}.new-`;
  const names = await readdir(directory);
  for (const name of names) {
    // A killed process's initdb may still be writing to its folder, so the removal is retried.
    const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
    if (name.startsWith(prefix)) await rm(join(directory, name), options);
  }
  if (!names.includes(basename(passwordFile)))
    await replaceFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, account);
  const draft = join(directory, `${prefix}${process.pid}`);
  try {
    const made = await server.program('initdb', [
      `--pgdata=${draft}`,
      `--username=${EMBEDDED_NAME}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      ...(settings['fsync'] === 'off' ? ['--no-sync'] : []),
    ]);
    if (made.code !== 0) throw programError('make a cluster', directory, made.output);
    const single = ['--single', '-D', draft, '-c', 'log_min_messages=error', 'postgres'];
    const created = await server.program('postgres', single, `CREATE DATABASE ${EMBEDDED_NAME}\n`);
    // A single-user server exits with 0 even when the statement fails.
    if (created.code !== 0 || /\b(ERROR|FATAL):/.test(created.output)) {
      throw programError('make a database', directory, created.output);
    }
    await chownTo(draft, account);
    await rename(draft, data);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
