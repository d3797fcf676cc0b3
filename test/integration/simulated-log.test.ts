import {
  claimSource,
  clearSourceFault,
  listStoppedSources,
  markSourceFault,
  readHeadPosition,
  type SourceClaim,
  setFence,
} from '@milepost/event-log';
import { type Pool, ROLES } from '@milepost/postgres';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LogStore } from '../simulation/store/log-store.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { inSimulation } from '../support/in-simulation.ts';
import { LaneWorld } from '../support/lane-world.ts';
import { append, incoming, openPartPool } from '../support/pipeline.ts';
import { driverProfile } from '../support/records.ts';

/** Draws an operation on a log. `claim` selects an earlier claim, counting back from the last. */
const operation = fc.oneof(
  fc.record({ kind: fc.constant('claim' as const) }),
  fc.record({
    kind: fc.constant('append' as const),
    claim: fc.nat(2),
    revision: fc.integer({ min: 1, max: 4 }),
    name: fc.constantFrom('A', 'B'),
  }),
  fc.record({ kind: fc.constantFrom('mark' as const, 'clear' as const), claim: fc.nat(2), stops: fc.boolean() }),
  fc.record({ kind: fc.constant('fence' as const), stores: fc.boolean(), epoch: fc.integer({ min: 1, max: 3 }) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

const withoutId = ({ partition, epoch, nextOffset, stopped }: SourceClaim) => ({
  partition,
  epoch,
  nextOffset,
  stopped,
});

/** Runs operations on one source. Returns each operation's outcome. */
async function play(pool: Pool, topic: string, fleetId: string, operations: readonly Operation[]): Promise<unknown[]> {
  const claims = [await claimSource(pool, topic, 0)];
  const first = await readHeadPosition(pool);
  const claimAt = (back: number) => claims.at(-1 - back) ?? claims[0];
  const run = async (next: Operation): Promise<unknown> => {
    if (next.kind === 'fence')
      return await setFence(pool, { fleetId, passes: true, stores: next.stores, epoch: next.epoch });
    if (next.kind === 'claim') {
      const claim = await claimSource(pool, topic, 0);
      claims.push(claim);
      return withoutId(claim);
    }
    const claim = claimAt(next.claim);
    if (claim === undefined) return null;
    if (next.kind !== 'append') {
      if (next.kind === 'clear') return await clearSourceFault(pool, claim);
      return await markSourceFault(pool, [claim], 'A fault.', next.stops);
    }
    const profile = driverProfile({ fleet_id: fleetId, revision: next.revision, first_name: next.name });
    const appended = await append(pool, claim, [incoming(claim.nextOffset, profile)], claim.nextOffset + 1);
    claims[claims.indexOf(claim)] = appended.claim;
    return { counts: appended.counts, position: appended.headPosition - first, claim: withoutId(appended.claim) };
  };
  const outcomes: unknown[] = [];
  for (const next of operations) {
    outcomes.push(await run(next).catch((error: unknown) => (error instanceof Error ? error.name : error)));
    const stopped = (await listStoppedSources(pool)).some((source) => source.topic === topic);
    outcomes.push([(await readHeadPosition(pool)) - first, stopped]);
  }
  return outcomes;
}

const playSimulated = (operations: readonly Operation[]) =>
  inSimulation(new LogStore('lane'), (pool) => play(pool, 'trips', 'fleet', operations));

it('the simulated log behaves like PostgreSQL for random claims, appends, faults and fences', async () => {
  const world = untilTestEnds(await LaneWorld.create(1, 1));
  const pool = untilTestEnds(openPartPool(world.lane(0), ROLES.ingest));
  let runs = 0;
  const property = fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
    runs += 1;
    const simulated = await playSimulated(operations);
    expect(await play(pool, `trips${runs}`, `fleet${runs}`, operations)).toEqual(simulated);
  });
  await fc.assert(property, { numRuns: 30 });
});
