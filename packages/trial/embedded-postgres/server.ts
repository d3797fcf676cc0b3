import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { programError } from './failures.ts';
import { serverUrl } from './names.ts';
import { readPassword } from './password.ts';
import type { Place } from './place.ts';
import { freePort } from './port.ts';
import { isAlive, isServerOf } from './process.ts';
import { ask, lockFile, runningServer } from './running.ts';
import { writeSettings } from './settings.ts';

const ATTEMPTS = 5;
const POLL_MILLISECONDS = 50;
const RETRY_MILLISECONDS = 500;
const CHECK_INTERVAL_MILLISECONDS = 1_000;
/**
 * How long pg_ctl waits for a start. If recovery takes longer, the server continues, and `answeringUrl` waits for it.
 */
const START_WAIT_SECONDS = 10;
/** The share of `patienceMilliseconds` that a fast stop may take. */
const STOP_SHARE = 1 / 3;
/** Longer than the 5 s that PostgreSQL needs to end processes that do not react to a signal. */
const IMMEDIATE_STOP_SECONDS = 10;
const KILL_MILLISECONDS = 10_000;

interface ServerOptions {
  /** PostgreSQL settings that override our defaults. */
  settings: Record<string, string>;
  log: (message: string) => void;
  /** How long a server may hang, or its restarts may keep failing. */
  patienceMilliseconds: number;
  /** Ends all waits when it aborts. */
  signal: AbortSignal | undefined;
}

async function readLog(place: Place): Promise<Buffer> {
  return await readFile(place.logFile).catch(() => Buffer.alloc(0));
}

/**
 * Removes a lock file that would prevent a start. PostgreSQL itself removes a lock file whose process has ended, but
 * after a crash or a reboot, the process id may belong to another program of the same user. PostgreSQL then mistakes
 * that program for a server of this folder and never starts.
 */
async function removeMisleadingLock(place: Place): Promise<void> {
  const lock = await lockFile(place.data);
  if (lock === null || !isAlive(lock.pid) || (await isServerOf(place.data, lock.pid))) return;
  await rm(join(place.data, 'postmaster.pid'), { force: true });
}

/**
 * Waits until the running server of a folder accepts a connection, even after a long recovery, and returns its URL.
 * Returns null if no server runs. A server that is silent or hangs in its shutdown for longer than
 * `patienceMilliseconds` is stopped.
 */
export async function answeringUrl(place: Place, options: ServerOptions): Promise<string | null> {
  const { log, patienceMilliseconds, signal } = options;
  let heardAt = performance.now();
  for (let look = 1; ; look += 1) {
    signal?.throwIfAborted();
    const server = await runningServer(place.data);
    if (server === null) return null;
    const url = serverUrl(await readPassword(place.passwordFile), server.port);
    const answer = server.port > 0 ? await ask(url) : 'silent';
    if (answer === 'open') return url;
    if (look === CHECK_INTERVAL_MILLISECONDS / POLL_MILLISECONDS) {
      log(`Waiting for the PostgreSQL server under ${place.directory} (process ${server.pid}) to recover or to stop.`);
    }
    if (answer === 'busy') heardAt = performance.now();
    if (performance.now() - heardAt > patienceMilliseconds) await stopServer(place, options, ['immediate']);
    await delay(POLL_MILLISECONDS, undefined, { signal });
  }
}

/**
 * Starts the server in its own session, so that Ctrl-C in a terminal does not reach it, and returns its URL.
 *
 * @param port the preferred port; null for any free port
 * @param again whether the server ran on this port before. Its clients reconnect to the port, so the port must not
 *   change, and failed starts are retried for `patienceMilliseconds`
 */
export async function startServer(
  place: Place,
  port: number | null,
  again: boolean,
  options: ServerOptions,
): Promise<string> {
  const deadline = performance.now() + options.patienceMilliseconds;
  let wanted = port;
  for (let attempt = 1; ; attempt += 1) {
    await removeMisleadingLock(place);
    const logStart = (await readLog(place)).length;
    const chosen = again && port !== null ? port : await freePort(wanted);
    await writeSettings(place, chosen, options.settings);
    const started = await place.program('pg_ctl', [
      'start',
      '--wait',
      `--timeout=${START_WAIT_SECONDS}`,
      `--pgdata=${place.data}`,
      `--log=${place.logFile}`,
    ]);
    const url = await answeringUrl(place, options);
    if (url !== null) return url;
    const said = (await readLog(place)).subarray(logStart).toString();
    if (!again && attempt < ATTEMPTS && /could not create any TCP\/IP sockets/.test(said)) {
      // Another program has taken the port since our check.
      wanted = null;
      continue;
    }
    // The child processes of a killed server end a moment after the server and block the next server until then.
    const mayPass = again || /pre-existing shared memory block/.test(said);
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
    // A running server that does not respond is slow or in recovery, so it needs no restart.
    if ((await runningServer(place.data)) !== null) continue;
    options.log('PostgreSQL ended unexpectedly: restarting.');
    await startServer(place, port, true, options);
    options.log('PostgreSQL runs again.');
  }
}

/**
 * Stops the server if one runs. The server rolls back open transactions and writes all data to the disk. If it hangs,
 * it gets an immediate stop and then SIGKILL. Neither loses committed data, because the next start recovers it.
 */
export async function stopServer(
  place: Place,
  { log, patienceMilliseconds }: Pick<ServerOptions, 'log' | 'patienceMilliseconds'>,
  modes: readonly ('fast' | 'immediate')[] = ['fast', 'immediate'],
): Promise<void> {
  for (const mode of modes) {
    const seconds = mode === 'fast' ? Math.ceil((patienceMilliseconds * STOP_SHARE) / 1_000) : IMMEDIATE_STOP_SECONDS;
    if ((await runningServer(place.data)) === null) return;
    if (mode === 'immediate')
      log('PostgreSQL does not respond: stopping it immediately. Its next start recovers all committed data.');
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
    // A process that SIGSTOP has suspended reacts only to SIGKILL. Its child processes exit when they notice that it
    // has ended.
    process.kill(server.pid, 'SIGKILL');
    await delay(POLL_MILLISECONDS);
  }
}
