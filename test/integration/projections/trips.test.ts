import { exactJson } from '@milepost/domain/exact-json';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LIST_ENTRY, unpackListEntries } from '../../../packages/core/projections/trips/list-entry.ts';
import { perSuite } from '../../support/fixtures.ts';
import { openFold, projectionNamed } from '../../support/fold.ts';
import { DEFAULT_TRIP_START, tripProcessed } from '../../support/records.ts';
import { itRepeatsWithoutEffect } from '../../support/repeat-suite.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const SEED = Math.floor(Math.random() * 1e9);

describeWithPostgres('the trips projection', () => {
  const fold = perSuite(() => openFold(projectionNamed('trips')));

  it(`renders every number in a trip as received, and the sign of -0 in each coordinate (seed ${SEED})`, async () => {
    const count = fc.nat(2 ** 31);
    const figure = fc.oneof(
      fc.constant(0),
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 1 }).map((n) => n / 1e6),
    );
    const coordinate = fc.oneof(fc.constantFrom(-0, 0, 1e-7), fc.double({ min: -180, max: 180, noNaN: true }));
    const arbitrary = fc.record({
      trip_id: fc.uuid().map((id) => id.replaceAll('-', '')),
      trip_start_time: fc.constant(DEFAULT_TRIP_START),
      trip_end_time: fc.constant(DEFAULT_TRIP_START + 1),
      duration_seconds: figure,
      distance_miles: figure,
      insurance_period: fc.constantFrom(null, 1, 2, 3),
      start_latitude: coordinate,
      start_longitude: coordinate,
      end_latitude: coordinate,
      end_longitude: coordinate,
      night_driving_seconds: figure,
      highway_miles: figure,
      night_driving_miles: figure,
      event_summary: fc.record({
        phone_use_count: count,
        rapid_acceleration_count: count,
        hard_brake_count: count,
        overspeeding_count: count,
        phone_use_time_seconds: figure,
        overspeeding_time_seconds: figure,
      }),
    });
    const sql = `SELECT ${LIST_ENTRY} AS entry FROM json_populate_record(NULL::stored_event, $1)`;
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ trip_id, ...trip }) => {
        const { event_summary, ...figures } = trip;
        const { rows } = await fold.pipeline.owner.query<{ entry: string }>(sql, [
          exactJson({ trip_id, ...figures, ...event_summary }),
        ]);
        const rendered: unknown = JSON.parse(unpackListEntries(rows[0]?.entry ?? '', 'driver-1'));
        expect(rendered).toEqual({ trip_id, driver_id: 'driver-1', ...trip });
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  itRepeatsWithoutEffect(() => fold);

  it('hides the body of each hidden revision from the API, whatever the query', async () => {
    const { api, owner } = fold.pipeline;
    await fold.take(...[1, 2, 3, 4].map((revision) => tripProcessed({ fleet_id: 'hidden', revision })));
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
});
