import { setTimeout as delay } from 'node:timers/promises';
import { drawFrom } from '../draw.ts';
import { until } from '../faults/patience.ts';
import { headersOf } from '../http.ts';
import { createApiKey } from '../world.ts';
import { createMover, type Erased, eraseDriver, replayRepeatedly } from './operate.ts';
import { DAYS, driverOf, FLEETS, MOVING_FLEET } from './records.ts';
import { drawKills, type Kill, progressOf, strike, type Victim } from './victims.ts';
import type { SoakWorld } from './world.ts';

/** A driver is erased each time one of these fractions of all kills has been reached. */
const ERASE_AT = [0.2, 0.4, 0.6, 0.8];
/**
 * How far a victim may be ahead: the completed fraction of its own kills may exceed the completed fraction of all kills
 * by at most this much. Without the limit, all kills of one victim could come first.
 */
const MAX_LEAD = 0.1;

const PAUSE_MILLISECONDS = 40;
const DAY = 86_400_000;
/** The status is 503 while the database is unavailable, and 404 for an unknown or erased driver. */
const EXPECTED = new Set([200, 404, 503]);

/**
 * Sends requests about all fleets until the signal is aborted. Returns the number of responses by status.
 *
 * @throws when a connection breaks or a response has a status other than 200, 404 or 503
 */
async function readRepeatedly(
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

/**
 * Kills processes under load. The seed determines the kills. Each kind of victim has its own sequence of faults, so
 * faults of different kinds overlap. A fault strikes only a victim that has advanced since its previous fault.
 *
 * @param onKill called after each kill with the number of kills so far
 * @returns a summary of the soak, which becomes part of the report
 */
export async function runSoak(
  world: SoakWorld,
  { seed, kills }: { seed: number; kills: number },
  onKill: (done: number, victim: Victim, kill: Kill) => void,
) {
  const counts: Record<string, number> = {};
  const stop = new AbortController();
  const mover = createMover(world);
  let done = 0;

  async function killAll(victim: Victim, planned: readonly Kill[]): Promise<void> {
    let before = await progressOf(world, victim);
    for (const [index, kill] of planned.entries()) {
      await until(`The kills before those of ${victim}`, async () => index / planned.length <= done / kills + MAX_LEAD);
      const hasAdvanced = async () =>
        (await progressOf(world, victim)).every((state, index) => state !== before[index]);
      await until(`The victim ${victim}`, hasAdvanced);
      await delay(kill.delayMilliseconds);
      await strike(world, mover, victim, kill);
      before = await progressOf(world, victim);
      done += 1;
      const name = `${victim} ${kill.signal}`;
      counts[name] = (counts[name] ?? 0) + 1;
      onKill(done, victim, kill);
    }
  }

  async function erase(): Promise<Erased[]> {
    const draw = drawFrom(seed + 3);
    const erased: Erased[] = [];
    const fleets = [...FLEETS.keys()].filter((fleetId) => fleetId !== MOVING_FLEET);
    for (const [index, share] of ERASE_AT.entries()) {
      await until('the kills before an erasure', async () => done >= share * kills, 3_600_000);
      const fleetId = fleets[index % fleets.length] ?? '';
      // Each erasure draws one of two drivers that no other erasure can draw.
      erased.push(await eraseDriver(world, fleetId, index * 2 + draw(2)));
    }
    return erased;
  }

  world.stream.start();
  const replaying = replayRepeatedly(world, stop.signal);
  const reading = readRepeatedly(world, seed, stop.signal);
  const moving = mover.run();
  const killing = [...drawKills(seed, kills)].map(async ([victim, planned]) => await killAll(victim, planned));
  try {
    const work = Promise.all([erase(), ...killing]);
    // If one of the endless parts fails, the soak ends.
    const endless = Promise.all([replaying, reading, moving]);
    await Promise.race([work, endless]);
    const [erased] = await work;
    await world.stream.stop();
    stop.abort();
    await mover.complete();
    const [replays, statuses] = await endless;
    return {
      kills: counts,
      erased,
      acknowledged: world.stream.acknowledged(),
      replays,
      moves: mover.moves(),
      requests: Object.fromEntries(statuses),
    };
  } finally {
    stop.abort();
    await mover.close();
  }
}
