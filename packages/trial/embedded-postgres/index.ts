import { clearError, runningServer, serverUrl } from '@milepost/postgres/embedded';
import { ensureCluster } from './cluster.ts';
import { prepareServer, type ServerOptions } from './prepare-server.ts';
import { keepRunning, startServer, stopServer } from './server.ts';
import { lastPort } from './settings.ts';

const PATIENCE_MILLISECONDS = 60_000;

interface EmbeddedPostgresOptions extends Partial<ServerOptions> {
  /**
   * The folder for all the server's files (`data`, `password` and `postgres.log`), which is created if it does not
   * exist. Only one process may use it at a time.
   */
  directory: string;
  /**
   * If this callback is given, a server that ends unexpectedly is started again on the same port, so that its clients
   * can reconnect. If the restarts keep failing for `patienceMilliseconds`, the callback receives the reason.
   */
  onEnd?: (error: Error) => void;
}

async function start(options: EmbeddedPostgresOptions) {
  const { log = () => {}, settings = {}, patienceMilliseconds = PATIENCE_MILLISECONDS, onEnd, signal } = options;
  const server = await prepareServer(options.directory, { log, settings, patienceMilliseconds, signal });
  let port: number;
  try {
    signal?.throwIfAborted();
    if ((await runningServer(server.data)) !== null) {
      log(`Stopping the PostgreSQL server that an earlier process left running under ${server.directory}.`);
      await stopServer(server);
    }
    await ensureCluster(server);
    port = await startServer(server, await lastPort(server), false);
  } catch (error) {
    if (signal?.aborted) await stopServer(server);
    throw error;
  }
  const stopping = new AbortController();
  const kept = onEnd && keepRunning({ ...server, signal: stopping.signal }, port);
  const keeping = kept?.catch((error: Error) => {
    if (!stopping.signal.aborted) onEnd?.(new Error(`The embedded PostgreSQL stopped unexpectedly. ${error.message}`));
  });
  let stopped: Promise<void> | null = null;
  const stop = async () => {
    stopping.abort();
    // Wait for a pending start, because the server must not start after the stop.
    await keeping;
    await stopServer(server);
  };
  return {
    /** The superuser's URL for the database `milepost` on 127.0.0.1, including the password. */
    url: await serverUrl(server, port),
    port,
    /** Stops the server and keeps its data. Later calls do nothing, even if another server runs for the directory. */
    async stop() {
      stopped ??= stop();
      await stopped;
    },
  };
}

/**
 * Starts PostgreSQL 18 for `directory`. If a killed process has left a server running for this directory, that server
 * is stopped first. The new server outlives this process unless `stop` is called. Rejects with a one-sentence message
 * if there are no binaries for the platform, a permission is missing, the disk is full, or the server does not start.
 * In the last case, the message quotes the server's log.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions) {
  return await start(options).catch((error: unknown) => {
    throw clearError(error, options.directory);
  });
}
