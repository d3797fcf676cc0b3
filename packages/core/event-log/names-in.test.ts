import { expect, it } from 'vitest';
import { driverNameHash, tripNameHash } from './names.ts';
import { namesIn } from './names-in.ts';

interface Subject {
  fleetId: string;
  driverId: string;
  sourceTripIds: ReadonlySet<string>;
}

/**
 * Whether an erasure selects a dead letter with these bytes. The function compares the stored fleets and hashes, as the
 * erasure's statement does.
 */
function isAbout(raw: Uint8Array, { fleetId, driverId, sourceTripIds }: Subject): boolean | 'unclear' {
  const named = namesIn(raw);
  if (named === 'unclear') return named;
  const wanted = [driverNameHash(driverId), ...[...sourceTripIds].map(tripNameHash)];
  const isOfFleet = named.fleets === 'any' || named.fleets.includes(fleetId);
  return isOfFleet && wanted.some((hash) => named.hashes.includes(hash));
}

const subject = { fleetId: 'acme', driverId: 'dé/1 "x"', sourceTripIds: new Set(['trip-1']) };
const ofBytes = (raw: string | Uint8Array, of = subject) => isAbout(Buffer.from(raw), of);
const about = (record: unknown, of = subject) => ofBytes(JSON.stringify(record), of);

it('a dead letter is selected by its driver, or by a trip of the driver', () => {
  expect(about({ fleet_id: 'acme', driver_id: 'dé/1 "x"' })).toBe(true);
  expect(about({ fleet_id: 'acme', source_trip_id: 'trip-1' })).toBe(true);
  expect(about({ fleet_id: 'acme', source_trip_id: 'trip-2' })).toBe(false);
  // A correction that would have moved the trip to another driver was refused, so the trip still belongs to the first
  // driver.
  expect(about({ fleet_id: 'acme', driver_id: 'other', source_trip_id: 'trip-1' })).toBe(true);
  expect(about({ fleet_id: 'other', driver_id: 'dé/1 "x"' })).toBe(false);
  expect(about({ fleet_id: 'other', driver_id: 'dé/1 "x"', source_trip_id: 'trip-1' })).toBe(false);
});

it('a dead letter is selected by its driver after a schema registry header, and is "unclear" in other formats', () => {
  const frame = '\0\0\0\0\u0007';
  const { driverId } = subject;
  expect(ofBytes(frame + JSON.stringify({ fleet_id: 'acme', driver_id: driverId }))).toBe(true);
  expect(ofBytes(frame + JSON.stringify({ fleet_id: 'acme', driver_id: 'other', note: driverId }))).toBe(false);
  expect(ofBytes(`${frame}\u0010acme\u0012other`)).toBe('unclear');
});

it('a dead letter is selected by an id of the wrong type or in the wrong place', () => {
  const { driverId } = subject;
  for (const record of [
    { fleet_id: 'acme', driver_id: [driverId] },
    { fleet_id: 'acme', driver_id: [['other'], [driverId]] },
    { fleet_id: 'acme', driver_id: { id: driverId } },
    { fleet_id: 'acme', driver_id: { [driverId]: true } },
    { fleet_id: 'acme', driver: driverId },
    { fleet_id: 'acme', driver_id: null, source_trip_id: ['trip-1'] },
    { driver_id: driverId },
    { driver_id: driverId, vehicle: { fleet_id: 'other' } },
    { fleet_id: ['acme'], driver_id: driverId },
    { fleet_id: { id: 'other' }, driver_id: driverId },
    { fleet_id: null, driver_id: driverId },
    { fleet_id: 'no fleet!', driver_id: driverId },
    [{ fleet_id: 'acme', driver_id: driverId }],
    { payload: { fleet_id: 'acme', driver_id: driverId } },
    { payload: JSON.stringify({ fleet_id: 'acme', driver_id: driverId }) },
    JSON.stringify({ payload: JSON.stringify({ fleet_id: 'acme', driver_id: driverId }) }),
  ]) {
    expect(about(record), JSON.stringify(record)).toBe(true);
  }
  for (const id of [17, 17.5, [17], { id: 17 }, true]) {
    const driver = { ...subject, driverId: String(id === true ? id : Number.isFinite(id) ? id : 17) };
    expect(about({ fleet_id: 'acme', driver_id: id }, driver), JSON.stringify(id)).toBe(true);
    expect(about({ driver_id: 'other', revision: id, fleet_id: 'acme' }, driver), JSON.stringify(id)).toBe(false);
  }
  expect(ofBytes('{"fleet_id":17,"driver_id":1.70e1}', { ...subject, fleetId: '17', driverId: '17' })).toBe(true);
});

it('a dead letter is selected by each of several members of the same name', () => {
  const [fleet, driver] = ['"fleet_id":"acme"', `"driver_id":${JSON.stringify(subject.driverId)}`];
  for (const text of [
    `{${fleet},${driver},"driver_id":"other"}`,
    `{${fleet},"driver_id":"other",${driver}}`,
    `{${fleet},${driver},"driver\\u005fid":"other"}`,
    `{${fleet},${driver},"fleet_id":"other"}`,
    `{"fleet_id":"other",${driver},${fleet}}`,
    `{"fleet_id":"other",${driver},"\\u0066leet_id":"\\u0061cme"}`,
    `{"fleet_id":"other",${driver},"fleet_id":null}`,
    `{${fleet},"source_trip_id":"trip-1","source_trip_id":"trip-2","driver_id":"other"}`,
    `{"fleet\\u005fid":"other",${driver},"fleet\\u005fid":"acme"}`,
    `{${fleet},"driver_id":"other"}{${fleet},${driver}}`,
  ]) {
    expect(ofBytes(text), text).toBe(true);
  }
});

it('a dead letter is selected by ids in invalid JSON, whatever their escapes', () => {
  const unicode = JSON.stringify(subject.driverId).replaceAll(
    /[^\\"]/gu,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  for (const id of ['"dé/1 \\"x\\""', '"d\\u00E9\\/1 \\u0022x\\""', unicode, '"trip-1"']) {
    const ofFleet = [
      `{"fleet_id":"acme","driver_id":${id}`,
      `{"fleet_id":"acme","driver_id":${id}}}trailing`,
      `{"fleet_id":"acme","driver_id":[1,${id}`,
      `\ufeff{"fleet_id":"acme","driver_id":${id}}`,
      `{"fleet_id":"acme","driver_id":${id},"alias":"${'x'.repeat(10_000)}`,
    ];
    const ofAnyFleet = [
      `{"driver_id":${id},"fleet_id":"ac`,
      `{"driver_id":${id},"fleet_id":["acme"`,
      `{"fleet_id":"acme,"driver_id":${id}}`,
      `{'fleet_id':'acme','driver_id':${id}}`,
    ];
    for (const text of [...ofFleet, ...ofAnyFleet]) {
      expect(ofBytes(text), text).toBe(true);
      expect(ofBytes(text.replaceAll('acme', 'other')), text).toBe(!ofFleet.includes(text));
      expect(ofBytes(text.replace(id, id === '"trip-1"' ? '"trip-12"' : '"dé/12"')), text).toBe(false);
    }
  }
  expect(ofBytes('{"fleet_id":"acme","driver_id":"dé/1 \\"x\\"')).toBe(true);
  expect(ofBytes('{fleet_id: acme, driver_id: me}', { ...subject, driverId: 'me' })).toBe(true);
  expect(ofBytes(Buffer.from('{"fleet_id":"acme","driver_id":"dé/1 \\"x\\""}', 'latin1'))).toBe(true);
  for (const at of ['before', 'behind'] as const) {
    const id = Buffer.from('dé/1');
    const parts = at === 'before' ? [Buffer.of(0xe2, 0x82), id] : [id, Buffer.of(0xff)];
    const raw = Buffer.concat([Buffer.from('{"fleet_id":"acme","driver_id":"'), ...parts, Buffer.from('"}')]);
    expect(ofBytes(raw, { ...subject, driverId: 'dé/1' }), at).toBe(true);
  }
});

it('a dead letter is not selected when it is about another driver and contains the id in other fields', () => {
  const sound = { fleet_id: 'acme', driver_id: 'other', source_trip_id: 'trip-2' };
  const { driverId } = subject;
  expect(about({ ...sound, alias: driverId, tracking_id: 'trip-1', note: `about ${driverId}` })).toBe(false);
  expect(about({ ...sound, previous_driver_id: driverId, seats: [{ driver: driverId }] })).toBe(false);
  expect(about({ ...sound, source_trip_id: driverId })).toBe(false);
  expect(about({ kind: 'trip.deleted', fleet_id: 'acme', source_trip_id: driverId })).toBe(false);
  expect(about({ driver_id: [driverId], fleet_id: ['other'] })).toBe(false);
  expect(ofBytes(`{"fleet_id":"acme","driver_id":"${driverId.slice(0, 3)}`)).toBe(false);
  for (const raw of ['', '{', 'null', '"x"', '[]', '{"fleet_id":"acme"}']) expect(ofBytes(raw), raw).toBe(false);
});

it('a dead letter is searched even if it is too large, and is "unclear" if it contains too many ids', () => {
  const large = (driver: string) => `{"fleet_id":"acme","driver_id":"${driver}","x":[${'[0],'.repeat(5_000_000)}0]}`;
  expect(ofBytes(large('me'), { ...subject, driverId: 'me' })).toBe(true);
  expect(ofBytes(large('other'), { ...subject, driverId: 'me' })).toBe(false);
  const many = JSON.stringify(Array.from({ length: 300 }, (_, index) => `id-${index}`));
  expect(ofBytes(many)).toBe('unclear');
  expect(ofBytes(`{"fleet_id":"acme","driver_id":"other","x":${many}}`)).toBe(false);
  expect(ofBytes(`words without end ${'x '.repeat(5_000)}`)).toBe('unclear');
  expect(ofBytes(`{"x":"${'{\\"a\\":1},'.repeat(200_000)}`)).toBe('unclear');
});
