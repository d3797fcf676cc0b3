import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { programError } from './failures.ts';
import { HOST } from './files.ts';
import type { Place } from './place.ts';
import { isAlive, isServerOf, lockFile, runningServer } from './running.ts';
import { writeSettings } from './settings.ts';

const POLL_MILLISECONDS = 50;
const RETRY_MILLISECONDS = 500;
const CHECK_INTERVAL_MILLISECONDS = 1_000;
/** How long pg_ctl waits for the server. If recovery takes longer, the server continues, and `becomesReady` waits. */
const START_WAIT_SECONDS = 10;
/** This is longer than the 5 s that PostgreSQL needs to end processes that do not react to a signal. */
const IMMEDIATE_STOP_SECONDS = 10;
const KILL_MILLISECONDS = 10_000;

export interface ServerOptions {
  /** PostgreSQL settings that override our defaults, such as `{ shared_buffers: '64MB' }`, as in `postgresql.conf`. */
  settings: Record<string, string>;
  /** Receives one sentence about each slow step. */
  log: (message: string) => void;
  /** How long a server may hang or fail to restart; one minute by default. A stop may take a third of this time. */
  patienceMilliseconds: number;
  /** Ends all waits when it aborts. An aborted start also stops the server. */
  signal: AbortSignal | undefined;
}

/** Returns `preferred` if this port is free on 127.0.0.1, otherwise another free port. */
async function freePort(preferred: number): Promise<number> {
  const server = createServer();
  try {
    server.listen({ port: preferred, host: HOST });
    await once(server, 'listening');
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : preferred;
  } catch (error) {
    if (preferred === 0) throw error;
    return await freePort(0);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Waits until the server accepts connections, even after a long recovery. Returns whether it is still running. */
async function becomesReady(place: Place, { log, signal }: ServerOptions): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    signal?.throwIfAborted();
    const server = await runningServer(place.data);
    if (server === null || server.isReady) return server !== null;
    if (look === CHECK_INTERVAL_MILLISECONDS / POLL_MILLISECONDS) {
      log(`Waiting for the PostgreSQL server under ${place.directory} (process ${server.pid}) to recover.`);
    }
    await delay(POLL_MILLISECONDS, undefined, { signal });
  }
}

/**
 * Removes a lock file that would keep PostgreSQL from starting. PostgreSQL itself removes a lock file whose process has
 * ended. However, after a crash or a reboot, the process id may belong to another program of the same user. PostgreSQL
 * then mistakes that program for this folder's server and never starts.
 */
async function removeMisleadingLock(data: string): Promise<void> {
  const lock = await lockFile(data);
  // If the process has ended, its lock stays, because PostgreSQL needs the lock to find that process's children.
  if (lock === null || !isAlive(lock.pid) || (await isServerOf(data, lock.pid))) return;
  await rm(join(data, 'postmaster.pid'), { force: true });
}

/**
 * Starts the server in its own session, so that Ctrl-C in a terminal does not reach it, and returns its port.
 *
 * @param port the preferred port; 0 for any free port
 * @param again whether the server has run on this port before. Its clients reconnect to the port, so the port must not
 *   change, and failed starts are retried for `patienceMilliseconds`
 */
export async function startServer(place: Place, port: number, again: boolean, options: ServerOptions): Promise<number> {
  const deadline = performance.now() + options.patienceMilliseconds;
  const readLog = async () => await readFile(place.logFile).catch(() => Buffer.alloc(0));
  for (;;) {
    await removeMisleadingLock(place.data);
    const logStart = (await readLog()).length;
    const chosen = again ? port : await freePort(port);
    await writeSettings(place, chosen, options.settings);
    const words = ['--wait', `--timeout=${START_WAIT_SECONDS}`, `--pgdata=${place.data}`, `--log=${place.logFile}`];
    const started = await place.program('pg_ctl', ['start', ...words]);
    if (await becomesReady(place, options)) return chosen;
    const said = (await readLog()).subarray(logStart).toString();
    // Another program may have taken the port since our check. Also, a killed server's child processes outlive it for a
    // moment, and the next server cannot start until they have ended.
    const mayPass = again || /could not create any TCP\/IP sockets|pre-existing shared memory block/.test(said);
    if (!mayPass || performance.now() > deadline) {
      throw programError('start', place.directory, said.trim() === '' ? started.output : said);
    }
    await delay(RETRY_MILLISECONDS, undefined, { signal: options.signal });
  }
}

/**
 * Restarts the server on the same port whenever it exits. Rejects if the restarts keep failing for
 * `patienceMilliseconds`, or if the signal aborts.
 */
export async function keepRunning(place: Place, port: number, options: ServerOptions): Promise<never> {
  for (;;) {
    await delay(CHECK_INTERVAL_MILLISECONDS, undefined, { signal: options.signal });
    // A running server that does not respond is slow or in recovery, so it need not be restarted.
    if ((await runningServer(place.data)) !== null) continue;
    options.log('PostgreSQL stopped unexpectedly: restarting.');
    await startServer(place, port, true, options);
    options.log('PostgreSQL is running again.');
  }
}

/**
 * Stops the server if one is running. The server rolls back open transactions and writes all data to the disk. A server
 * that hangs gets an immediate stop and then SIGKILL. Neither loses committed data, because the next start recovers it.
 */
export async function stopServer(
  place: Place,
  { log, patienceMilliseconds }: Pick<ServerOptions, 'log' | 'patienceMilliseconds'>,
): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    // A fast stop may take a third of the time.
    const seconds = mode === 'fast' ? Math.ceil(patienceMilliseconds / 3_000) : IMMEDIATE_STOP_SECONDS;
    if ((await runningServer(place.data)) === null) return;
    if (mode === 'immediate')
      log('PostgreSQL is not responding: stopping it immediately. Its next start recovers all committed data.');
    const options = [`--mode=${mode}`, '--wait', `--timeout=${seconds}`, `--pgdata=${place.data}`];
    if ((await place.program('pg_ctl', ['stop', ...options])).code === 0) return;
  }
  const deadline = performance.now() + KILL_MILLISECONDS;
  for (;;) {
    const server = await runningServer(place.data);
    if (server === null) return;
    if (performance.now() > deadline) {
      throw new Error(
        `PostgreSQL under ${place.directory} cannot be stopped: process ${server.pid} does not react to signals.`,
      );
    }
    // A process suspended by SIGSTOP reacts only to SIGKILL. The server's child processes exit when they notice that
    // the server has exited.
    process.kill(server.pid, 'SIGKILL');
    await delay(POLL_MILLISECONDS);
  }
}
