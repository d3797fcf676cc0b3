import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { programError } from './failures.ts';
import type { Place } from './place.ts';
import { freePort } from './port.ts';
import { isAlive, isPostgres } from './process.ts';
import { answeringUrl, lockFile, runningServer } from './running.ts';
import { writeSettings } from './settings.ts';

const ATTEMPTS = 5;
const START_TIMEOUT_SECONDS = 120;
const STOP_TIMEOUT_SECONDS = 60;

async function logLength(place: Place): Promise<number> {
  return (await readFile(place.logFile).catch(() => Buffer.alloc(0))).length;
}

/**
 * PostgreSQL removes a lock file whose process is gone. But after a crash or a restart of the machine the process id may
 * belong to another program of the same user, which PostgreSQL takes for a server of this folder: it would never start.
 */
async function removeMisleadingLock(place: Place): Promise<void> {
  const lock = await lockFile(place.data);
  if (lock === null || !isAlive(lock.pid) || (await isPostgres(lock.pid))) return;
  await rm(join(place.data, 'postmaster.pid'), { force: true });
}

/** Starts the server in a session of its own, so that Ctrl-C in a terminal reaches us and not it. Returns its port. */
export async function startServer(
  place: Place,
  preferredPort: number | null,
  settings: Record<string, string>,
): Promise<number> {
  await removeMisleadingLock(place);
  for (let attempt = 1; ; attempt += 1) {
    const logStart = await logLength(place);
    const port = await freePort(attempt === 1 ? preferredPort : null);
    await writeSettings(place, port, settings);
    const started = await place.program('pg_ctl', [
      'start',
      '--wait',
      `--timeout=${START_TIMEOUT_SECONDS}`,
      `--pgdata=${place.data}`,
      `--log=${place.logFile}`,
    ]);
    if (started.code === 0) return port;
    const log = (await readFile(place.logFile).catch(() => Buffer.alloc(0))).subarray(logStart).toString();
    // Between our look at the port and the server's, another program may have taken it.
    if (attempt < ATTEMPTS && /could not create any TCP\/IP sockets/.test(log)) continue;
    throw programError('start', place.directory, log.trim() === '' ? started.output : log);
  }
}

/**
 * The URL of a server that an earlier process left running, null when there is none. Waits for one that is still
 * starting (it may have to recover) or stopping.
 */
export async function leftServerUrl(place: Place): Promise<string | null> {
  const deadline = Date.now() + START_TIMEOUT_SECONDS * 1000;
  for (;;) {
    const server = await runningServer(place.data);
    if (server === null) return null;
    const url = await answeringUrl(server, place.passwordFile);
    if (url !== null) return url;
    if (Date.now() > deadline) {
      throw new Error(
        `PostgreSQL under ${place.directory} runs as process ${server.pid} but does not answer on port ${server.port}: see ${place.logFile}.`,
      );
    }
    await delay(50);
  }
}

/** Stops the server: open transactions are rolled back, everything is written to disk. Nothing to do when it is gone. */
export async function stopServer(place: Place): Promise<void> {
  if ((await runningServer(place.data)) === null) return;
  const parameters = ['stop', '--mode=fast', '--wait', `--timeout=${STOP_TIMEOUT_SECONDS}`, `--pgdata=${place.data}`];
  const stopped = await place.program('pg_ctl', parameters);
  // It may have ended by itself in between.
  if (stopped.code !== 0 && (await runningServer(place.data)) !== null) {
    throw programError('stop', place.directory, stopped.output);
  }
}
