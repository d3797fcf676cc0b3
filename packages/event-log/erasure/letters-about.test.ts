import { expect, it } from 'vitest';
import { isAbout } from './letters-about.ts';

const subject = { fleetId: 'acme', driverId: 'dé/1', sourceTripIds: new Set(['trip-1']) };
const about = (record: unknown) => isAbout(Buffer.from(JSON.stringify(record)), subject);

it('knows a dead letter by its driver, or by the trip where it names none', () => {
  expect(about({ fleet_id: 'acme', driver_id: 'dé/1' })).toBe(true);
  expect(about({ fleet_id: 'acme', source_trip_id: 'trip-1' })).toBe(true);
  expect(about({ fleet_id: 'acme', source_trip_id: 'trip-2' })).toBe(false);
  // The trip was corrected to another driver, whose record this is.
  expect(about({ fleet_id: 'acme', driver_id: 'other', source_trip_id: 'trip-1' })).toBe(false);
  expect(about({ fleet_id: 'other', driver_id: 'dé/1' })).toBe(false);
  expect(isAbout(Buffer.from('{"fleet_id":"acme","driver_id":17}'), { ...subject, driverId: '17' })).toBe(true);
});

it('knows bytes that are no record by the ids in them, however they are spelled', () => {
  for (const id of ['dé/1', 'd\\u00e9/1', 'dé\\/1', 'trip-1']) {
    expect(isAbout(Buffer.from(`{"fleet_id":"acme","driver_id":"${id}"`), subject), id).toBe(true);
  }
  expect(isAbout(Buffer.from('{"fleet_id":"acme","driver_id":"dé/12"'), subject)).toBe(false);
});
