import { setTimeout as delay } from 'node:timers/promises';
import { drawFrom } from '../draw.ts';
import { headersOf } from '../http.ts';
import { createApiKey } from '../world.ts';
import { DAYS, driverOf, FLEETS } from './records.ts';
import type { SoakWorld } from './world.ts';

const PAUSE_MILLISECONDS = 40;
const DAY = 86_400_000;
/** The status is 503 while the database is unavailable, and 404 for an unknown or erased driver. */
const EXPECTED = new Set([200, 404, 503]);

/**
 * Sends requests about all fleets until the signal is aborted. Returns the number of responses by status.
 *
 * @throws when a connection breaks or a response has a status other than 200, 404 or 503
 */
export async function readRepeatedly(
  world: SoakWorld,
  seed: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const draw = drawFrom(seed + 2);
  const keys: [string, string][] = [];
  for (const fleetId of FLEETS.keys()) keys.push([fleetId, await createApiKey(world.directory, fleetId)]);
  const statuses = new Map<number, number>();
  for (; !signal.aborted; await delay(PAUSE_MILLISECONDS)) {
    const [fleetId = '', key = ''] = keys[draw(keys.length)] ?? [];
    const date = new Date(Date.now() - (1 + draw(DAYS)) * DAY).toISOString().slice(0, 10);
    const driver = driverOf(fleetId, draw(8));
    const paths = [
      '/drivers',
      `/driver/${driver}/trips?start_date=${date}`,
      `/driver-aggregate/daily?start_date=${date}&driver_id=${driver}`,
    ];
    const path = paths[draw(paths.length)] ?? '';
    const response = await fetch(`${world.origin}/api/v1${path}`, { headers: headersOf(key) });
    const body = await response.text();
    if (!EXPECTED.has(response.status)) throw new Error(`${path}: ${response.status} ${body}`);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  }
  return statuses;
}
