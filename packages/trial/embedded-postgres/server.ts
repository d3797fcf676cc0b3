import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EMBEDDED_HOST, findProcess, lockFile, runningServer } from '@milepost/postgres/embedded';
import { mostUsefulLine, programError } from './failures.ts';
import type { Server } from './prepare-server.ts';
import { writeSettings } from './settings.ts';

const POLL_MILLISECONDS = 50;
const RETRY_MILLISECONDS = 500;
const CHECK_INTERVAL_MILLISECONDS = 1_000;
/** How long pg_ctl waits for the server. If recovery takes longer, the server continues, and `becomesReady` waits. */
const START_WAIT_SECONDS = 10;
/** This is longer than the 5 s that PostgreSQL needs to end processes that do not react to a signal. */
const FORCED_STOP_MILLISECONDS = 10_000;

/** Returns `preferred` if this port is free on 127.0.0.1, otherwise another free port. */
async function freePort(preferred: number): Promise<number> {
  await using server = createServer();
  try {
    await once(server.listen({ port: preferred, host: EMBEDDED_HOST }), 'listening');
  } catch (error) {
    if (preferred === 0) throw error;
    return await freePort(0);
  }
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : preferred;
}

/** Waits until the server accepts connections, even after a long recovery. Returns whether it is still running. */
async function becomesReady({ data, directory, log, signal }: Server): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    signal?.throwIfAborted();
    const running = await runningServer(data);
    if (running === null || running.isReady) return running !== null;
    if (look === CHECK_INTERVAL_MILLISECONDS / POLL_MILLISECONDS) {
      log(`Waiting for the PostgreSQL server under ${directory} (process ${running.pid}) to recover.`);
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
  if (lock === null || (await findProcess(lock.pid)) === null || (await runningServer(data)) !== null) return;
  await rm(join(data, 'postmaster.pid'), { force: true });
}

/**
 * Starts the server in its own session, so that Ctrl-C in a terminal does not reach it, and returns its port.
 *
 * @param port the preferred port; 0 for any free port
 * @param again whether the server has run on this port before. Its clients reconnect to the port, so the port must not
 *   change, and failed starts are retried for `patienceMilliseconds`
 */
export async function startServer(server: Server, port: number, again: boolean): Promise<number> {
  const { data, directory, logFile, signal } = server;
  const deadline = performance.now() + server.patienceMilliseconds;
  const readLog = async () => await readFile(logFile).catch(() => Buffer.alloc(0));
  for (;;) {
    await removeMisleadingLock(data);
    const logStart = (await readLog()).length;
    const chosen = again ? port : await freePort(port);
    await writeSettings(server, chosen);
    const words = ['--wait', `--timeout=${START_WAIT_SECONDS}`, `--pgdata=${data}`, `--log=${logFile}`];
    const started = await server.program('pg_ctl', ['start', ...words]);
    if (await becomesReady(server)) return chosen;
    const said = (await readLog()).subarray(logStart).toString();
    // Another program may have taken the port since our check. Also, a killed server's child processes outlive it for a
    // moment, and the next server cannot start until they have ended.
    const mayPass = again || /could not create any TCP\/IP sockets|pre-existing shared memory block/.test(said);
    if (!mayPass || performance.now() > deadline) {
      throw programError('start', directory, said.trim() === '' ? started.output : said);
    }
    await delay(RETRY_MILLISECONDS, undefined, { signal });
  }
}

/**
 * Restarts the server on the same port whenever it exits. Rejects if the restarts keep failing for
 * `patienceMilliseconds`, or if the signal aborts.
 */
export async function keepRunning(server: Server, port: number): Promise<never> {
  for (;;) {
    await delay(CHECK_INTERVAL_MILLISECONDS, undefined, { signal: server.signal });
    // A running server that does not respond is slow or in recovery, so it need not be restarted.
    if ((await runningServer(server.data)) !== null) continue;
    server.log('PostgreSQL stopped unexpectedly: restarting.');
    await startServer(server, port, true);
    server.log('PostgreSQL is running again.');
  }
}

/**
 * Stops the server if one is running. The server rolls back open transactions and writes all data to the disk. A server
 * that hangs gets an immediate stop and then SIGKILL. Neither loses committed data, because the next start recovers it.
 * https://www.postgresql.org/docs/18/server-shutdown.html
 */
export async function stopServer({ data, directory, program, log, patienceMilliseconds }: Server): Promise<void> {
  const steps = [
    // A fast stop may take a third of the time, in whole seconds.
    ['INT', Math.ceil(patienceMilliseconds / 3_000) * 1_000],
    ['QUIT', FORCED_STOP_MILLISECONDS],
    // A process suspended by SIGSTOP reacts only to SIGKILL. The server's child processes exit when they notice that
    // the server has exited.
    ['KILL', FORCED_STOP_MILLISECONDS],
  ] as const;
  let running = await runningServer(data);
  let reason = '';
  for (const [signal, milliseconds] of steps) {
    if (running === null) return;
    if (signal === 'QUIT')
      log('PostgreSQL is not responding: stopping it immediately. Its next start recovers all committed data.');
    // If this fails because the server has just ended, the next check notices it.
    const { code, output } = await program('pg_ctl', ['kill', signal, String(running.pid)]);
    reason = code === 0 ? `process ${running.pid} does not react to signals` : mostUsefulLine(output);
    const deadline = performance.now() + milliseconds;
    while (running !== null && performance.now() < deadline) {
      await delay(POLL_MILLISECONDS);
      running = await runningServer(data);
    }
  }
  if (running === null) return;
  throw new Error(`PostgreSQL under ${directory} cannot be stopped: ${reason}.`);
}
