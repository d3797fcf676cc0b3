import { appendTogether } from '@milepost/event-log/append';
import { setFence } from '@milepost/event-log/fences';
import { readHeadPosition } from '@milepost/event-log/head';
import {
  claimSource,
  clearSourceFault,
  listStoppedSources,
  markSourceFault,
  type SourceClaim,
} from '@milepost/event-log/sources';
import { type Pool, ROLES } from '@milepost/postgres';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LogStore } from '../simulation/store/log-store.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { inSimulation } from '../support/in-simulation.ts';
import { LaneWorld } from '../support/lane-world.ts';
import { incoming, openPartPool } from '../support/pipeline.ts';
import { driverProfile } from '../support/records.ts';

const PARTITIONS = [0, 1];
const partition = fc.nat(PARTITIONS.length - 1);
const fleet = fc.nat(1);
/** Selects an earlier claim, counting back from the last. */
const back = fc.constantFrom(0, 0, 0, 1, 2);

/** The records of a batch. Null stands for a value that is not a record, and a record with revision 0 is refused. */
const records = fc.array(
  fc.option(fc.record({ fleet, revision: fc.integer({ min: 0, max: 4 }), first_name: fc.constantFrom('A', 'B') }), {
    freq: 5,
  }),
  { maxLength: 3 },
);
const batch = fc.record({
  partition,
  back,
  records,
  /** The fleet of a record that another lane stores. */
  passed: fc.option(fleet, { freq: 2 }),
  /** Whether the batch names its last record, names none, or says nothing about it. */
  known: fc.constantFrom(true, false, undefined),
  isCopy: fc.constantFrom(false, false, true),
});

/** Draws an operation on a log. */
const operation = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('claim' as const), partition }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      batches: fc.uniqueArray(batch, { minLength: 1, maxLength: 2, selector: (each) => each.partition }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('mark' as const, 'clear' as const),
      partition,
      back,
      stops: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fence' as const),
      fleet,
      stores: fc.boolean(),
      passes: fc.boolean(),
      epoch: fc.integer({ min: 1, max: 3 }),
    }),
  },
);
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Operation = Drawn<typeof operation>;

const withoutId = ({ sourceId: _id, topic: _topic, ...claim }: SourceClaim) => claim;

/** Runs operations on one topic. Returns each operation's outcome. */
async function play(pool: Pool, run: number, operations: readonly Operation[]): Promise<unknown[]> {
  const topic = `trips${run}`;
  const fleetIds = [`north${run}`, `south${run}`];
  const claims: SourceClaim[][] = [];
  for (const each of PARTITIONS) claims.push([await claimSource(pool, topic, each)]);
  const first = await readHeadPosition(pool);
  const find = (of: { partition: number; back: number }): SourceClaim => {
    const ofPartition = claims[of.partition] ?? [];
    const claim = ofPartition.at(-1 - of.back) ?? ofPartition[0];
    if (!claim) throw new Error('The partition was not claimed.');
    return claim;
  };
  const toBatch = (drawn: Drawn<typeof batch>) => {
    const claim = find(drawn);
    const ofBatch = drawn.records.map((record, index) => {
      if (record === null) return incoming(claim.nextOffset + index, '{');
      const { fleet: number, ...profile } = record;
      return incoming(claim.nextOffset + index, driverProfile({ ...profile, fleet_id: fleetIds[number] ?? '' }));
    });
    const elsewhere = drawn.passed === null ? 0 : 1;
    const nextOffset = claim.nextOffset + ofBatch.length + elsewhere;
    const last = { offset: nextOffset - 1, timestamp: nextOffset, hash: Buffer.alloc(32, nextOffset) };
    const fleetsElsewhere = new Set(drawn.passed === null ? [] : [fleetIds[drawn.passed] ?? '']);
    const known = drawn.known === undefined ? {} : { known: drawn.known ? last : null };
    return { claim, records: ofBatch, nextOffset, elsewhere, fleetsElsewhere, isCopy: drawn.isCopy, ...known };
  };
  const act = async (next: Operation): Promise<unknown> => {
    if (next.kind === 'fence') return await setFence(pool, { ...next, fleetId: fleetIds[next.fleet] ?? '' });
    if (next.kind === 'claim') {
      const claim = await claimSource(pool, topic, next.partition);
      claims[next.partition]?.push(claim);
      return withoutId(claim);
    }
    if (next.kind !== 'append') {
      if (next.kind === 'clear') return await clearSourceFault(pool, find(next));
      return await markSourceFault(pool, find(next), `${next.stops}`, next.stops);
    }
    const { appended, headPosition } = await appendTogether(pool, next.batches.map(toBatch));
    for (const { claim } of appended) claims[claim.partition]?.push(claim);
    return [headPosition - first, appended.map(({ counts, claim }) => ({ counts, claim: withoutId(claim) }))];
  };
  const outcomes: unknown[] = [];
  for (const next of operations) {
    outcomes.push(await act(next).catch((error: unknown) => (error instanceof Error ? error.name : error)));
    const stopped = (await listStoppedSources(pool)).filter((source) => source.topic === topic);
    outcomes.push([(await readHeadPosition(pool)) - first, stopped.map((source) => source.partition).sort()]);
  }
  return outcomes;
}

/** SQL for what a log has stored from a topic. `$2` is the head's position before the run. */
const CONTENTS = {
  sources: `SELECT partition, epoch, next_offset, last_offset, fault, stopped, records_read AS read,
      records_stored AS stored, records_duplicate AS duplicates, records_dead_letter AS dead_letters,
      records_elsewhere AS elsewhere
    FROM log_source WHERE topic = $1 AND $2::bigint IS NOT NULL ORDER BY partition`,
  events: `SELECT position - $2 AS position, supersedes - $2 AS supersedes, partition, source_offset, effective, revision
    FROM stored_event JOIN log_source USING (source_id) WHERE topic = $1 ORDER BY partition, source_offset`,
  duplicates: `SELECT position - $2 AS position, partition, source_offset
    FROM duplicate_record JOIN log_source USING (source_id) WHERE topic = $1 ORDER BY partition, source_offset`,
  letters: `SELECT partition, source_offset FROM dead_letter JOIN log_source USING (source_id)
    WHERE topic = $1 AND $2::bigint IS NOT NULL ORDER BY partition, source_offset`,
};

function simulatedContents(store: LogStore): Record<keyof typeof CONTENTS, object[]> {
  const sources = [...store.sources.committed.values()].sort((one, other) => one.partition - other.partition);
  /** Returns the rows of a table in the order of their sources and offsets, with these columns. */
  const rowsOf = <Row extends { source_id: number; source_offset: number }>(
    rows: readonly Row[],
    columns: readonly (keyof Row & string)[],
  ) =>
    sources.flatMap(({ source_id, partition: ofSource }) => {
      const own = rows.filter((row) => row.source_id === source_id);
      own.sort((one, other) => one.source_offset - other.source_offset);
      return own.map((row) => ({
        partition: ofSource,
        ...Object.fromEntries(columns.map((column) => [column, row[column]])),
      }));
    });
  return {
    sources: sources.map(({ source_id: _id, topic: _topic, last_timestamp: _time, last_hash: _hash, ...row }) => row),
    events: rowsOf(
      [...store.events.committed.values()],
      ['position', 'supersedes', 'source_offset', 'effective', 'revision'],
    ),
    duplicates: rowsOf([...store.duplicates.committed.values()], ['position', 'source_offset']),
    letters: rowsOf([...store.letters.committed.values()], ['source_offset']),
  };
}

it('the simulated log behaves like PostgreSQL for random claims, appends, faults and fences', async () => {
  const world = untilTestEnds(await LaneWorld.create(1, 1));
  const pool = untilTestEnds(openPartPool(world.lane(0), ROLES.ingest));
  let run = 0;
  const property = fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
    run += 1;
    const store = new LogStore('lane');
    const simulated = await inSimulation(store, (simulatedPool) => play(simulatedPool, run, operations));
    const first = await readHeadPosition(pool);
    expect(await play(pool, run, operations)).toEqual(simulated);
    const expected = simulatedContents(store);
    for (const name of ['sources', 'events', 'duplicates', 'letters'] as const)
      expect((await world.owner(0).query(CONTENTS[name], [`trips${run}`, first])).rows, name).toEqual(expected[name]);
  });
  await fc.assert(property, { numRuns: 100 });
});
