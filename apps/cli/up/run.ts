import { readConfig as readApiConfig } from '@milepost/api/config';
import { readConfig as readIngestConfig } from '@milepost/ingest/config';
import { readConfig as readOpsConfig } from '@milepost/ops/config';
import { directoryAt, type Login, loginUrl, type Pool, ROLES, retryTransientErrors } from '@milepost/postgres';
import { embeddedDirectory } from '@milepost/postgres/embedded';
import { derivedPasswords } from '@milepost/postgres/logins';
import { readConfig as readProjectorConfig } from '@milepost/projector/config';
import type { Settings } from '@milepost/service';
import { aborted, StopRequest, stopController } from '@milepost/service/stop';
import { childEnvironment, type ProcessName, type UpSettings } from '../config.ts';
import { type Attempts, connectFirst, poolsOf, withPoolAt } from '../database.ts';
import { say } from '../output.ts';
import { prepareDatabase } from '../prepare-database.ts';
import { onNpmExit } from '../process.ts';
import { createRetryReporter } from '../progress.ts';
import { assertPortFree, baseUrl, waitUntilReady } from './address.ts';
import { startChildren } from './children.ts';
import { lockHome } from './lock.ts';
import { renewReadTables } from './renew-read-tables.ts';
import { findExampleTrip, hasSampleFleet, loadSampleFleet, SAMPLE_FLEET_ID } from './sample-fleet.ts';
import { opsToken, sampleKey } from './secrets.ts';
import { opsWelcome, plainWelcome, sampleWelcome } from './welcome.ts';

/**
 * Reads the settings of the processes that `up` starts, so that invalid settings are reported before a process starts.
 */
export function readChildSettings(settings: Settings, kafka: boolean): void {
  readApiConfig(settings);
  readProjectorConfig(settings);
  readOpsConfig(settings);
  if (kafka) readIngestConfig(settings);
}

/**
 * Opens the configured database, or starts the embedded one, on which each process has its own login. Aborts when the
 * embedded one has ended and could not be restarted for a minute.
 */
async function openDatabase({ databaseUrl: configured, home }: UpSettings, controller: AbortController) {
  if (configured !== undefined) {
    return { url: configured, urlOf: () => configured, passwords: {}, stop: async () => {} };
  }
  const { startEmbeddedPostgres } = await import('@milepost/embedded-postgres');
  const onEnd = (error: Error) => controller.abort(error);
  const { signal } = controller;
  const { url, stop } = await startEmbeddedPostgres({ directory: embeddedDirectory(home), log: say, signal, onEnd });
  return { url, urlOf: (login: Login) => loginUrl(url, login), passwords: derivedPasswords(url), stop };
}

/** Starts everything, prints the addresses and waits. At the end, it stops everything in reverse order. */
async function runUntilAborted(settings: UpSettings, isWatched: boolean, controller: AbortController): Promise<void> {
  const { signal } = controller;
  const { home, host, port, opsPort, metricsPorts, kafka, sampleFleet } = settings;
  await using started = new AsyncDisposableStack();
  started.defer(await lockHome(home));
  await assertPortFree(host, port, 'PORT');
  await assertPortFree(host, opsPort, 'OPS_PORT');
  for (const each of Object.values(metricsPorts)) await assertPortFree(host, each, 'METRICS_PORT');
  const token = settings.opsToken ?? (await opsToken(home));
  const database = await openDatabase(settings, controller);
  started.defer(database.stop);
  signal.throwIfAborted();
  // From this point, an unresponsive database delays the start but does not abort it.
  const onRetry = createRetryReporter('The database is not responding at the moment');
  const attempts: Attempts = async (work) => await retryTransientErrors(work, { signal, onRetry });
  if (settings.databaseUrl !== undefined) await connectFirst(settings.databaseUrl, attempts);
  await prepareDatabase(database.url, { passwords: database.passwords, lanes: settings.lanes, attempts });
  signal.throwIfAborted();

  const names: ProcessName[] = ['api', 'projector', 'ops', ...(kafka ? (['ingest'] as const) : [])];
  const environmentOf = (name: ProcessName) =>
    childEnvironment({ name, databaseUrl: database.urlOf(name), opsToken: token, metricsPort: metricsPorts[name] });
  started.defer(startChildren(names, environmentOf, isWatched, (error) => controller.abort(error)).stop);
  const withPool = poolsOf(database.urlOf('ops'), attempts);
  await renewReadTables(withPool, say);
  if (sampleFleet && !kafka) await loadSampleFleet(withPool, home, signal, say);
  const url = baseUrl(host, port);
  await waitUntilReady('api', url, signal);
  const welcome = await withPool(ROLES.operator, async (pool) => {
    if (!(await hasSampleFleet(pool))) return plainWelcome(url);
    const findKey = (directory: Pool) => sampleKey(directory, home, SAMPLE_FLEET_ID);
    const key = await withPoolAt(directoryAt(database.urlOf('ops')), ROLES.operator, findKey, attempts);
    return sampleWelcome(url, SAMPLE_FLEET_ID, key, await findExampleTrip(pool, SAMPLE_FLEET_ID, Date.now()));
  });
  process.stdout.write(welcome);
  const opsUrl = baseUrl(host, opsPort);
  await waitUntilReady('ops', opsUrl, signal);
  process.stdout.write(opsWelcome(opsUrl, settings.opsToken === undefined ? token : null));
  say('\nCtrl-C stops everything. The data is kept.');
  await aborted(signal);
  say('Stopping.');
}

/**
 * Runs the database, the API, the projector, the operators' API and, if Kafka is configured, ingest, until Ctrl-C or
 * SIGTERM.
 *
 * @param isWatched whether a process restarts when its code changes, for development
 * @throws Error when a process does not start, or ends unexpectedly
 */
export async function runUp(settings: UpSettings, isWatched: boolean): Promise<void> {
  const controller = stopController();
  onNpmExit(() => controller.abort(new StopRequest('SIGTERM')));
  try {
    await runUntilAborted(settings, isWatched, controller);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  }
  // An error after the abort is only a consequence of it, so report the reason for the abort.
  if (controller.signal.aborted && !(controller.signal.reason instanceof StopRequest)) throw controller.signal.reason;
}
