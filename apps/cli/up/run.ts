import { readConfig as readApiConfig } from '@milepost/api/config';
import { readConfig as readIngestConfig } from '@milepost/ingest/config';
import { readConfig as readOpsConfig } from '@milepost/ops/config';
import { ROLES } from '@milepost/postgres';
import { readConfig as readProjectorConfig } from '@milepost/projector/config';
import { aborted, StopRequest, stopController } from '@milepost/service';
import { childEnvironment, type ProcessName, type UpSettings } from '../config.ts';
import { withPoolAt } from '../database.ts';
import type { WithPool } from '../load-files.ts';
import { prepareDatabase } from '../prepare-database.ts';
import { onNpmGone } from '../process.ts';
import { assertPortFree, baseUrl, waitUntilReady } from './address.ts';
import { startChildren } from './children.ts';
import { openDatabase } from './database.ts';
import { lockHome } from './lock.ts';
import { renewReadTables } from './renew-read-tables.ts';
import { findExampleTrip, hasSampleFleet, loadSampleFleet, SAMPLE_FLEET_ID } from './sample-fleet.ts';
import { opsToken, sampleKey } from './secrets.ts';
import { opsWelcome, plainWelcome, sampleWelcome } from './welcome.ts';

/** Reads the settings of the processes that `up` will start, so that a wrong one is told before anything is made. */
export function readChildSettings(kafka: boolean): void {
  readApiConfig();
  readProjectorConfig();
  readOpsConfig();
  if (kafka) readIngestConfig();
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function welcome(withPool: WithPool, url: string, home: string): Promise<string> {
  return await withPool(ROLES.operator, async (pool) => {
    if (!(await hasSampleFleet(pool))) return plainWelcome(url);
    const key = await sampleKey(pool, home, SAMPLE_FLEET_ID);
    return sampleWelcome(url, SAMPLE_FLEET_ID, key, await findExampleTrip(pool, SAMPLE_FLEET_ID, Date.now()));
  });
}

/** Starts everything, tells where it is, and waits; what was started is stopped in the opposite order. */
async function runUntilAborted(settings: UpSettings, controller: AbortController): Promise<void> {
  const { signal } = controller;
  const { home, host, port, opsPort, kafka, sampleFleet } = settings;
  await using started = new AsyncDisposableStack();
  started.defer(await lockHome(home));
  await assertPortFree(host, port, 'PORT');
  await assertPortFree(host, opsPort, 'OPS_PORT');
  const token = settings.opsToken ?? (await opsToken(home));
  const database = await openDatabase(settings, say, signal, (error) => controller.abort(error));
  started.defer(database.stop);
  signal.throwIfAborted();
  await prepareDatabase(database.url, database.passwords);
  signal.throwIfAborted();

  const names: ProcessName[] = ['api', 'projector', 'ops', ...(kafka ? (['ingest'] as const) : [])];
  const environmentOf = (name: ProcessName) => childEnvironment(name, database.urlOf(name), token);
  const children = startChildren(names, environmentOf, (error) => controller.abort(error));
  started.defer(children.stop);
  const withPool: WithPool = (role, work) => withPoolAt(database.urlOf('ops'), role, work);
  await renewReadTables(withPool, say);
  if (sampleFleet && !kafka) await loadSampleFleet(withPool, home, signal, say);
  const url = baseUrl(host, port);
  await waitUntilReady('api', url, signal);
  process.stdout.write(await welcome(withPool, url, home));
  const opsUrl = baseUrl(host, opsPort);
  await waitUntilReady('ops', opsUrl, signal);
  process.stdout.write(opsWelcome(opsUrl, settings.opsToken === undefined ? token : null));
  say('\nCtrl-C stops everything; the data stays.');
  await aborted(signal);
  say('Stopping.');
}

/**
 * Runs database, API, projector, the operators' API and, when Kafka is set, ingest in one place until Ctrl-C or SIGTERM.
 *
 * @throws Error when something does not start, or when one of the processes ends by itself
 */
export async function runUp(settings: UpSettings): Promise<void> {
  const controller = stopController();
  onNpmGone(() => controller.abort(new StopRequest('SIGTERM')));
  try {
    await runUntilAborted(settings, controller);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  }
  // Whatever failed after the abort failed because of it: the reason is what counts.
  if (controller.signal.aborted && !(controller.signal.reason instanceof StopRequest)) throw controller.signal.reason;
}
