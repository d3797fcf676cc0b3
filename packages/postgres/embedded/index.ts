import { ensureCluster } from './cluster.ts';
import { clearError } from './failures.ts';
import { serverUrl } from './names.ts';
import { assertVacant, readLastRun, writeLastRun } from './owner.ts';
import { readPassword } from './password.ts';
import { type Place, paths, preparePlace } from './place.ts';
import { answeringUrl, runningServer } from './running.ts';
import { leftServerUrl, startServer, stopServer } from './server.ts';

export { makeFolder } from './make-folder.ts';

export interface EmbeddedPostgresOptions {
  /** Everything of the server lives here: `data`, `password`, `postgres.log`, `server.json`. Made when absent. */
  directory: string;
  /** Settings of PostgreSQL over ours, as in `postgresql.conf`: `{ shared_buffers: '64MB' }`. */
  settings?: Record<string, string>;
  /** Told in one sentence what takes its time. */
  log?: (message: string) => void;
}

export interface EmbeddedPostgres {
  /** The superuser's URL with its password, on 127.0.0.1, to the database `milepost`. */
  url: string;
  port: number;
  /** The server was left running by a process that vanished; its settings are those of its own start. */
  adopted: boolean;
  /** Stops the server and keeps its data. May be called more than once. */
  stop: () => Promise<void>;
}

async function start(place: Place, runFile: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const settings = options.settings ?? {};
  const lastRun = await readLastRun(runFile);
  let url = await leftServerUrl(place);
  const adopted = url !== null;
  if (url !== null) {
    assertVacant(lastRun, place.directory);
    log(`Adopted the PostgreSQL that an earlier process left running under ${place.directory}.`);
  } else {
    await ensureCluster(place, settings['fsync'] !== 'off', () => log(`Making a database under ${place.directory}.`));
    const password = await readPassword(place.passwordFile);
    url = serverUrl(password, await startServer(place, lastRun?.port ?? null, settings));
  }
  const port = Number(new URL(url).port);
  await writeLastRun(runFile, { port, ownerProcess: process.pid });
  let stopped: Promise<void> | null = null;
  return {
    url,
    port,
    adopted,
    stop: () => {
      stopped ??= stopServer(place);
      return stopped;
    },
  };
}

/**
 * Starts PostgreSQL 18 for `directory`, or adopts the server that a killed process left running there. The server
 * outlives this process unless `stop` is called. Rejects with one clear sentence: platform without binaries, no
 * permission, disk full, directory in use by a living process, server that does not start (with its last log line).
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, runFile } = paths(options.directory);
  try {
    return await start(await preparePlace(directory), runFile, options);
  } catch (error) {
    throw clearError(error, directory);
  }
}

/**
 * The URL of the server that runs for `directory`, null when none answers there. Rejects when this user may not read the
 * directory.
 */
export async function findEmbeddedPostgres(directory: string): Promise<{ url: string } | null> {
  const place = paths(directory);
  try {
    const server = await runningServer(place.data);
    const url = server === null ? null : await answeringUrl(server, place.passwordFile);
    return url === null ? null : { url };
  } catch (error) {
    throw clearError(error, place.directory);
  }
}
