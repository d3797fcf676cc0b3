import { ensureCluster } from './cluster.ts';
import { clearError } from './failures.ts';
import { serverUrl } from './names.ts';
import { assertVacant, readLastRun, writeLastRun } from './owner.ts';
import { readPassword } from './password.ts';
import { type Place, paths, preparePlace } from './place.ts';
import { runningServer } from './running.ts';
import { answeringUrl, keepRunning, startServer, stopServer } from './server.ts';

export { makeFolder } from './make-folder.ts';
export { createFile } from './new-file.ts';

const PATIENCE_MILLISECONDS = 60_000;

interface EmbeddedPostgresOptions {
  /**
   * The folder for all files of the server (`data`, `password`, `postgres.log` and `server.json`), which is created if
   * it does not exist.
   */
  directory: string;
  /** PostgreSQL settings that override our defaults, such as `{ shared_buffers: '64MB' }`, as in `postgresql.conf`. */
  settings?: Record<string, string>;
  /** Receives one sentence about each slow step. */
  log?: (message: string) => void;
  /** Aborts the start and stops the server if it has already started. */
  signal?: AbortSignal;
  /**
   * If this callback is given, a server that ends unexpectedly is started again on the same port, so that its clients
   * can reconnect. If the restarts keep failing for `patienceMilliseconds`, the callback receives the reason.
   */
  onEnd?: (error: Error) => void;
  /**
   * How long a server may hang, or its restarts may keep failing; one minute by default. A stop may take a third of
   * this time.
   */
  patienceMilliseconds?: number;
}

interface EmbeddedPostgres {
  /** The superuser's URL with its password, on 127.0.0.1, to the database `milepost`. */
  url: string;
  port: number;
  /**
   * Whether the server was started by a process that no longer exists. If so, it still has the settings of that start.
   */
  adopted: boolean;
  /** Stops the server and keeps its data. May be called more than once. */
  stop: () => Promise<void>;
}

async function start(place: Place, runFile: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => {}, settings = {}, patienceMilliseconds = PATIENCE_MILLISECONDS, onEnd, signal } = options;
  const server = { log, settings, patienceMilliseconds };
  const lastRun = await readLastRun(runFile);
  if ((await runningServer(place.data)) !== null) assertVacant(lastRun, place.directory);
  let url: string | null;
  let adopted = true;
  try {
    url = await answeringUrl(place, { ...server, signal });
    if (url !== null)
      log(`Adopted the PostgreSQL server that an earlier process left running under ${place.directory}.`);
    else {
      adopted = false;
      await ensureCluster(place, settings['fsync'] !== 'off', () =>
        log(`Creating a database under ${place.directory}.`),
      );
      url = await startServer(place, lastRun?.port ?? null, false, { ...server, signal });
    }
  } catch (error) {
    if (signal?.aborted) await stopServer(place, server);
    throw error;
  }
  const port = Number(new URL(url).port);
  await writeLastRun(runFile, { port, ownerProcess: process.pid });
  const stopping = new AbortController();
  const kept = onEnd && keepRunning(place, port, { ...server, signal: stopping.signal });
  const keeping = kept?.catch((error: Error) => {
    if (!stopping.signal.aborted) onEnd?.(new Error(`The embedded PostgreSQL ended unexpectedly. ${error.message}`));
  });
  let stopped: Promise<void> | null = null;
  const stop = async () => {
    stopping.abort();
    // Wait for a pending start, because the server must not start after the stop.
    await keeping;
    await stopServer(place, server);
  };
  return {
    url,
    port,
    adopted,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Starts PostgreSQL 18 for `directory` or adopts the server that a killed process left running there. The server
 * outlives this process unless `stop` is called. Rejects with a one-sentence message if there are no binaries for the
 * platform, a permission is missing, the disk is full, a running process uses the directory, or the server does not
 * start. In the last case, the message quotes the server's log.
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
 * Returns the URL of the server that runs for `directory`, or null if none runs. A server in recovery refuses
 * connections with an error that says so. Rejects if this user may not read the directory.
 */
export async function findEmbeddedPostgres(directory: string): Promise<{ url: string } | null> {
  const place = paths(directory);
  try {
    const server = await runningServer(place.data);
    if (server === null || !(server.port > 0)) return null;
    return { url: serverUrl(await readPassword(place.passwordFile), server.port) };
  } catch (error) {
    throw clearError(error, place.directory);
  }
}
