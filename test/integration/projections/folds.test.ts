import { inTransaction } from '@milepost/postgres';
import { expect, it } from 'vitest';
import { untilTestEnds } from '../../support/fixtures.ts';
import { projectionNamed } from '../../support/fold.ts';
import { deliver, deliverAndProject, openPipeline } from '../../support/pipeline.ts';
import { describeWithPipeline } from '../../support/pipeline-suites.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';

const day = (date: string) => Date.parse(`${date}T12:00:00Z`);
/** Trips are 0.1 miles long, so that sums in binary floating point would differ. */
const tripOf = (fleet_id: string, source_trip_id: string, date: string, revision = 1) =>
  tripProcessed({ fleet_id, source_trip_id, trip_start_time: day(date), distance_miles: 0.1, revision });

// `recount.test.ts` compares the rows of all projections with a model.
describeWithPipeline('the projection', (pipeline) => {
  it("fleets contains each fleet's last position, in whatever order a replay runs its chunks", async () => {
    const fleets = projectionNamed('fleets');
    const own = untilTestEnds(await openPipeline([fleets]));
    const one = { fleet_id: 'one' };
    const records = [tripProcessed(one), driverProfile(), driverProfile(one), tripProcessed(), tripProcessed()];
    await deliver(own.ingest, records);
    for (const after of [3, 2, 1, 0]) {
      const range = { after, through: after + 1 };
      await inTransaction(own.projector, async (transaction) => await fleets.apply(transaction, range, 'fleets_1'));
    }
    expect(await own.rows('SELECT fleet_id, position FROM fleets_1 ORDER BY fleet_id')).toEqual([
      { fleet_id: 'acme', position: 4 },
      { fleet_id: 'one', position: 3 },
    ]);
  });

  it('drivers updates the travel dates when a batch moves the only trip on the first or last day', async () => {
    const travelled = async () =>
      await pipeline.rows(
        `SELECT profile::json ->> 'first_travel_date' AS first, profile::json ->> 'last_travel_date' AS last
         FROM drivers WHERE fleet_id = 'moved'`,
      );
    const trip = (...values: [id: string, date: string, revision?: number]) => tripOf('moved', ...values);
    await deliverAndProject(pipeline, [trip('first', '2025-01-15'), trip('last', '2025-01-24')]);
    await deliverAndProject(pipeline, [trip('first', '2025-01-17', 2), trip('between', '2025-01-19')]);
    expect(await travelled()).toEqual([{ first: '2025-01-17', last: '2025-01-24' }]);
    await deliverAndProject(pipeline, [trip('last', '2025-01-21', 2)]);
    expect(await travelled()).toEqual([{ first: '2025-01-17', last: '2025-01-21' }]);
  });

  it('trips hides the body of each hidden revision from the API, whatever the query', async () => {
    const { api, owner } = pipeline;
    const revisions = [1, 2, 3, 4].map((revision) => tripProcessed({ fleet_id: 'hidden', revision }));
    await deliverAndProject(pipeline, revisions);
    const hidden = 'SELECT position FROM trip_body EXCEPT SELECT position FROM trips';
    expect((await owner.query(hidden)).rowCount).toBeGreaterThan(2);
    await owner.query(
      `UPDATE trip_body SET trail_path = 'hidden', trip_events = 'hidden' WHERE position IN (${hidden})`,
    );
    // If PostgreSQL evaluated the condition on a hidden body, the division would fail.
    const conditions = ['trail_path', 'trip_events'].map((column) => `1 / (octet_length(${column}) - 6) > 9`);
    const text = `SELECT trail_path, trip_events FROM trips WHERE ${conditions.join(' OR ')}`;
    expect((await api.query(text)).rows).toEqual([]);
  });

  it('weekly_rollups continues from the previous day with trips, whichever days of a week a batch contains', async () => {
    const batches = [['13'], ['14'], ['16'], ['18'], ['17', '19']];
    for (const days of batches)
      await deliverAndProject(
        pipeline,
        days.map((each) => tripOf('turns', each, `2025-01-${each}`)),
      );
    const weeks = await pipeline.rows(
      `SELECT through_date AS date, (totals::json ->> 'distance_miles')::numeric AS miles
       FROM weekly_rollups WHERE fleet_id = 'turns' ORDER BY through_date`,
    );
    expect(weeks).toEqual(
      ['13', '14', '16', '17', '18', '19'].map((each, index) => ({ date: `2025-01-${each}`, miles: (index + 1) / 10 })),
    );
  });

  it('weekly_rollups keeps exact sums that no double can represent, even if the rounded totals stay the same', async () => {
    const huge = { fleet_id: 'huge' };
    const tiny = (revision: number, distance_miles: number) =>
      tripProcessed({ ...huge, source_trip_id: 'tiny', revision, distance_miles });
    await deliverAndProject(pipeline, [tripProcessed({ ...huge, distance_miles: 1e16 }), tiny(1, 0.5)]);
    const rows = async () => await pipeline.rows("SELECT sums, totals FROM weekly_rollups WHERE fleet_id = 'huge'");
    const [before] = await rows();
    await deliverAndProject(pipeline, [tiny(2, 0.25)]);
    expect(await rows()).toEqual([{ ...before, sums: expect.stringContaining('{2,10000000000000000.25,') }]);
  });

  it('weekly_rollups does not write a row that does not change', async () => {
    const { headPosition } = await deliverAndProject(pipeline, [tripProcessed({ fleet_id: 'same' })]);
    const sql = "SELECT ctid::text, xmin::text FROM weekly_rollups_1 WHERE fleet_id = 'same'";
    const versions = async () => await pipeline.rows(sql);
    const before = await versions();
    const range = { after: headPosition - 1, through: headPosition };
    await inTransaction(pipeline.projector, async (transaction) => {
      await projectionNamed('weekly_rollups').apply(transaction, range, 'weekly_rollups_1');
    });
    expect(before).toHaveLength(1);
    expect(await versions()).toEqual(before);
  });
});
