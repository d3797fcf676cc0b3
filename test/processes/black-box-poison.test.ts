import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { judge } from '../support/judge.ts';
import { utcDate } from '../support/model/index.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import type { Message } from '../support/topics.ts';

const FLEET = 'poison';
const DAY = 86_400_000;
const OVERSIZE_BYTES = 17 * 1024 * 1024;

/** Values that can never be stored, each with the reason for its dead letter. */
function poison(now: number): [string | Buffer | null, string][] {
  const trip = tripProcessed({ fleet_id: FLEET, source_trip_id: 'poison', trip_start_time: now - 2 * DAY });
  const changed = (fields: object) => JSON.stringify({ ...trip, ...fields });
  const text = JSON.stringify(trip);
  return [
    [text.slice(0, 200), 'invalid_json'],
    [changed({ distance_miles: 'NaN' }), 'invalid_field'],
    [text.replace(/"distance_miles":[\d.]+/, '"distance_miles":NaN'), 'invalid_json'],
    [text.replace(/"distance_miles":[\d.]+/, '"distance_miles":1e999'), 'invalid_field'],
    [changed({ revision: '1' }), 'invalid_field'],
    [changed({ trail_path: {} }), 'invalid_field'],
    [changed({ kind: 'trip.imagined' }), 'unknown_kind'],
    ['7', 'not_an_object'],
    ['[]', 'not_an_object'],
    ['x'.repeat(OVERSIZE_BYTES), 'record_too_large'],
    [null, 'null_value'],
    ['', 'empty_value'],
    [Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), 'invalid_utf8'],
    [changed({ driver_id: 'a\u0000b' }), 'invalid_field'],
    [changed({ source_trip_id: '\ud800' }), 'invalid_field'],
    [`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 'missing_field'],
    [`${'['.repeat(200_000)}`, 'invalid_json'],
    ['{"__proto__":{"kind":"trip.processed"}}', 'missing_field'],
    [text.replace('"revision":1', '"revision":1,"revision":-1'), 'invalid_field'],
    [changed({ trip_start_time: now + 2 * DAY, trip_end_time: now + 2 * DAY }), 'start_in_future'],
    [changed({ trip_end_time: trip.trip_start_time - 1 }), 'end_before_start'],
    [changed({ events: [{ ...trip.events[0], event_name: 'PHONE_USE' }] }), 'invalid_field'],
  ];
}

describeWithKafka('Milepost given poison', (brokers) => {
  it('keeps every invalid record in both topics as a dead letter, and reads the records after it', async () => {
    const deployment = await deploy(brokers);
    const now = Date.now();
    const values = poison(now);
    const poisoned = (['trips', 'drivers'] as const).flatMap((topic) =>
      values.map(([value], index): Message => ({ topic, key: `poison-${index}`, value, broken: true })),
    );
    // A valid record follows each invalid record in the same partition.
    const messages = poisoned.flatMap((message, index): Message[] => {
      const record =
        message.topic === 'trips'
          ? tripProcessed({ fleet_id: FLEET, source_trip_id: `${index}`, trip_start_time: now - 3 * DAY + index })
          : driverProfile({ fleet_id: FLEET, driver_id: `driver-${index}` });
      return [message, { ...message, value: JSON.stringify(record), broken: false }];
    });
    deployment.processes.start('ingest');
    await deployment.topics.publish(messages);
    await deployment.untilApplied();
    await judge(deployment, { fleetIds: [FLEET], firstDate: utcDate(now - 5 * DAY) });
    const { rows } = await deployment.owner.query<{ reason: string; raw: Buffer | null }>(
      'SELECT reason, raw FROM dead_letter',
    );
    const kept = rows.map(({ reason, raw }) => `${reason} ${raw?.toString('base64').slice(0, 400) ?? null}`);
    const expected = [...values, ...values].map(
      ([value, reason]) => `${reason} ${value === null ? null : Buffer.from(value).toString('base64').slice(0, 400)}`,
    );
    expect(kept.toSorted()).toEqual(expected.toSorted());
  });
});
