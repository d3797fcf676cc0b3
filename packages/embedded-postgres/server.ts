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
const LOOK_MILLISECONDS = 1_000;
/** How long pg_ctl waits for a start: a server that takes longer to recover goes on, and is waited for here. */
const LAUNCH_SECONDS = 10;
/** The share of our patience that a server may take to stop by itself. */
const STOP_SHARE = 1 / 3;
/** PostgreSQL itself needs 5 s to end processes that take no signal. */
const IMMEDIATE_STOP_SECONDS = 10;
const KILL_MILLISECONDS = 10_000;

interface ServerOptions {
  /** Of PostgreSQL, over ours. */
  settings: Record<string, string>;
  log: (message: string) => void;
  /** How long a server may hang, or fail to start again. */
  patienceMilliseconds: number;
  /** Ends all waiting. */
  signal: AbortSignal | undefined;
}

async function readLog(place: Place): Promise<Buffer> {
  return await readFile(place.logFile).catch(() => Buffer.alloc(0));
}

/**
 * PostgreSQL removes a lock file whose process is gone. But after a crash or a restart of the machine the process id may
 * belong to another program of the same user, which PostgreSQL takes for a server of this folder: it would never start.
 */
async function removeMisleadingLock(place: Place): Promise<void> {
  const lock = await lockFile(place.data);
  if (lock === null || !isAlive(lock.pid) || (await isServerOf(place.data, lock.pid))) return;
  await rm(join(place.data, 'postmaster.pid'), { force: true });
}

/**
 * Waits until the server that runs on a folder lets us in, however long it recovers, and returns its address; null when
 * none runs, or not any more. One that stays silent, or hangs in its shutdown, for longer than our patience is ended.
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
    if (look === LOOK_MILLISECONDS / POLL_MILLISECONDS) {
      log(`Waiting for the PostgreSQL under ${place.directory}, process ${server.pid}, to recover or to stop.`);
    }
    if (answer === 'busy') heardAt = performance.now();
    if (performance.now() - heardAt > patienceMilliseconds) await stopServer(place, options, ['immediate']);
    await delay(POLL_MILLISECONDS, undefined, { signal });
  }
}

/**
 * Starts the server in a session of its own, so that Ctrl-C in a terminal reaches us and not it, and returns its address.
 *
 * @param port null: any that is free
 * @param again the server ran before, on this port, where its clients look for it: no other will do, and what keeps it
 *   from starting is tried against until our patience ends
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
      `--timeout=${LAUNCH_SECONDS}`,
      `--pgdata=${place.data}`,
      `--log=${place.logFile}`,
    ]);
    const url = await answeringUrl(place, options);
    if (url !== null) return url;
    const said = (await readLog(place)).subarray(logStart).toString();
    if (!again && attempt < ATTEMPTS && /could not create any TCP\/IP sockets/.test(said)) {
      // Between our look at the port and the server's, another program has taken it.
      wanted = null;
      continue;
    }
    // What a killed server leaves running ends a moment after it, and keeps the next one out until then.
    const mayPass = again || /pre-existing shared memory block/.test(said);
    if (!mayPass || performance.now() > deadline) {
      throw programError('start', place.directory, said.trim() === '' ? started.output : said);
    }
    await delay(RETRY_MILLISECONDS, undefined, { signal: options.signal });
  }
}

/** Starts the server again on its port whenever it has ended. Rejects when that fails for long, or when aborted. */
export async function keepRunning(place: Place, port: number, options: ServerOptions): Promise<never> {
  for (;;) {
    await delay(LOOK_MILLISECONDS, undefined, { signal: options.signal });
    // A server that lives and does not answer recovers, or is slow: it needs time, not us.
    if ((await runningServer(place.data)) !== null) continue;
    options.log('PostgreSQL has ended by itself: starting it again.');
    await startServer(place, port, true, options);
    options.log('PostgreSQL runs again.');
  }
}

/**
 * Stops the server: open transactions are rolled back, everything is written to disk. One that hangs is ended the hard
 * way, which loses nothing that was committed: the next start recovers it. Nothing to do when it is gone.
 */
export async function stopServer(
  place: Place,
  { log, patienceMilliseconds }: Pick<ServerOptions, 'log' | 'patienceMilliseconds'>,
  modes: readonly ('fast' | 'immediate')[] = ['fast', 'immediate'],
): Promise<void> {
  for (const mode of modes) {
    const seconds = mode === 'fast' ? Math.ceil((patienceMilliseconds * STOP_SHARE) / 1_000) : IMMEDIATE_STOP_SECONDS;
    if ((await runningServer(place.data)) === null) return;
    if (mode === 'immediate') log('PostgreSQL hangs: ending it at once. Its next start recovers what was committed.');
    const options = [`--mode=${mode}`, '--wait', `--timeout=${seconds}`, `--pgdata=${place.data}`];
    if ((await place.program('pg_ctl', ['stop', ...options])).code === 0) return;
  }
  const deadline = performance.now() + KILL_MILLISECONDS;
  for (;;) {
    const server = await runningServer(place.data);
    if (server === null) return;
    if (performance.now() > deadline) {
      throw new Error(`PostgreSQL under ${place.directory} cannot be ended: process ${server.pid} takes no signal.`);
    }
    // A process that was halted takes no other signal. Its own processes end when they find it gone.
    process.kill(server.pid, 'SIGKILL');
    await delay(POLL_MILLISECONDS);
  }
}
