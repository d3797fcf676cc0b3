import { describe, expect, it } from 'vitest';
import { changed } from '../../../../test/support/change-field.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../../../test/support/records.ts';
import { deriveEventSummary, parseArchivedRecord, parseRecord } from './parse.ts';

const MAX_BYTES = 16_777_216;
const NOW = Date.UTC(2025, 0, 20);
const DAY = 86_400_000;
const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (value: unknown) => parseRecord(bytes(JSON.stringify(value)), NOW);
const parseText = (text: string) => parseRecord(bytes(text), NOW);
const refusal = (value: unknown) => refused(parse(value));

/** Returns the reason for the refusal of a record, and the field with the fault. */
function faultIn(value: unknown): string {
  const { reason, field } = refusal(value);
  return `${reason} ${field}`;
}

/** Returns the record without its warnings. */
function recordOf(parsed: ReturnType<typeof parseRecord>) {
  return parsed.ok ? parsed.record : parsed;
}

function refused(parsed: ReturnType<typeof parseRecord>) {
  if (parsed.ok) throw new Error('The record was accepted.');
  return parsed;
}

describe('bytes that are not a record', () => {
  it.each([
    ['null_value', null],
    ['empty_value', new Uint8Array()],
    ['record_too_large', new Uint8Array(MAX_BYTES + 1)],
    ['invalid_utf8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['invalid_utf8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['invalid_utf8', Uint8Array.of(0x22, 0xc0, 0x80, 0x22)],
    ['invalid_json', bytes('{"kind":')],
    ['invalid_json', bytes(' ')],
    ['invalid_json', bytes('\ufeff{}')],
    ['invalid_json', bytes('\0')],
    ['invalid_json', bytes('{"distance_miles":NaN}')],
    ['invalid_json', bytes('{} {}')],
    ['not_an_object', bytes('null')],
    ['not_an_object', bytes('[{}]')],
    ['not_an_object', bytes('"trip.processed"')],
    ['not_an_object', bytes('1e400')],
  ] as const)('are refused as %s without an exception (%#)', (reason, value) => {
    expect(refused(parseRecord(value, NOW))).toMatchObject({ reason, field: null });
  });

  it('do not affect the next record', () => {
    expect(parseRecord(Uint8Array.of(0xe2, 0x82), NOW).ok).toBe(false);
    expect(parse(tripDeleted()).ok).toBe(true);
  });

  it('are parsed when their number is exactly the limit', () => {
    const text = JSON.stringify(tripDeleted());
    expect(parseText(text + ' '.repeat(MAX_BYTES - text.length)).ok).toBe(true);
  });

  it('produce messages that PostgreSQL can store, although the JSON parser quotes the bytes', () => {
    const { message } = refused(parseText('{"a":\0\u0085\u0007}'));
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message).toMatch(/^The record is not JSON: /);
  });
});

describe('a schema registry header', () => {
  const framed = (value: Uint8Array, id = 42) => Buffer.concat([Buffer.from([0, 0, 0, 0, id]), value]);

  it.each(['', ' \n'])('is skipped before JSON (%j)', (space) => {
    const text = space + JSON.stringify(tripDeleted());
    expect(parseRecord(framed(bytes(text)), NOW)).toEqual(parseText(text));
  });

  it('does not change the reason for which JSON is refused', () => {
    expect(refused(parseRecord(framed(bytes('{"kind":')), NOW))).toMatchObject({ reason: 'invalid_json' });
  });

  it.each([
    ['Avro', Uint8Array.of(0x1c, 0x74, 0x72, 0x69, 0x70)],
    ['Protobuf', Uint8Array.of(0x00, 0x0a, 0x04, 0x61, 0x63, 0x6d, 0x65)],
    ['an array', bytes('[{}]')],
  ])('followed by %s is refused with its own reason, which names the schema', (_, value) => {
    const { reason, message } = refused(parseRecord(framed(value), NOW));
    expect(reason).toBe('unsupported_format');
    expect(message).toMatch(/schema id 42.*Avro or Protobuf: publish JSON/);
  });
});

it.each([
  { kind: undefined, reason: 'missing_field' },
  ...['trip.started', '', 'a\u0085\ud800', 'toString', '__proto__', 7, null, ['trip.deleted']].map((kind) => {
    return { kind, reason: 'unknown_kind' };
  }),
])('the kind $kind is refused as $reason', ({ kind, reason }) => {
  expect(faultIn(changed(tripDeleted(), '/kind', kind))).toBe(`${reason} /kind`);
  expect(refusal(changed(tripDeleted(), '/kind', kind)).message).not.toMatch(/\p{Cc}|\p{Cs}/u);
});

describe('a field that breaks its rule', () => {
  it('is refused when its number is outside the range of a double', () => {
    const text = JSON.stringify(tripProcessed({ distance_miles: 77.125 })).replace('77.125', '1e400');
    expect(refused(parseText(text))).toMatchObject({ reason: 'invalid_field', field: '/distance_miles' });
    const point = JSON.stringify(tripProcessed()).replace('"course":37.5', '"course":-1e400');
    expect(refused(parseText(point))).toMatchObject({ reason: 'invalid_field', field: '/trail_path/0/course' });
  });

  it('is reported in one short sentence that describes the right value', () => {
    expect(refusal(tripProcessed({ driver_id: `a\n${'b'.repeat(10_000)}` })).message).toBe(
      'The field /driver_id must be a string of 1 to 256 characters, without control characters or lone surrogates, ' +
        `and not "." or "..", which cannot be a segment of a URL path, but is "a\\n${'b'.repeat(38)}"... (10002 characters).`,
    );
  });

  it('is refused when it has too many trail points, before the points are parsed', () => {
    const [point] = tripProcessed().trail_path;
    const full = Array.from({ length: 50_000 }, () => point);
    expect(parse({ ...tripProcessed(), trail_path: full }).ok).toBe(true);
    expect(faultIn({ ...tripProcessed(), trail_path: [0, ...full] })).toBe('invalid_field /trail_path');
  });
});

describe('a rule between fields', () => {
  it('refuses a trip that ends before it starts', () => {
    const { trip_start_time } = tripProcessed();
    expect(faultIn(tripProcessed({ trip_end_time: trip_start_time - 1 }))).toBe('end_before_start /trip_end_time');
    expect(parse(tripProcessed({ trip_end_time: trip_start_time })).ok).toBe(true);
  });

  it('refuses a trip that starts more than 24 hours from now', () => {
    expect(parse(tripProcessed({ trip_start_time: NOW + DAY })).ok).toBe(true);
    expect(faultIn(tripProcessed({ trip_start_time: NOW + DAY + 1 }))).toBe('start_in_future /trip_start_time');
  });
});

describe('a parsed record', () => {
  it('keeps every number unchanged, and does not correct the duration', () => {
    const times = { duration_seconds: 0.1 + 0.2, trip_end_time: 1_800_000_000_000 };
    const record = tripProcessed({ ...times, distance_miles: 1e308 });
    expect(recordOf(parse(record))).toEqual(record);
    const text = JSON.stringify(tripProcessed({ distance_miles: 77.125 })).replace('77.125', '-0');
    const parsed = parseText(text);
    expect(parsed.ok && parsed.record.kind === 'trip.processed' && parsed.record.distance_miles).toBe(-0);
  });

  it('has no unknown fields at any level', () => {
    const record = tripProcessed();
    const extended = JSON.stringify({
      ...record,
      event_summary: { ...record.event_summary, extra: 1 },
      events: record.events.map((event) => ({ ...event, extra: 1, event_data: { ...event.event_data, extra: 1 } })),
      trail_path: record.trail_path.map((point) => ({ ...point, speed: 1 })),
      extra: { deep: ['\ud800', '\0'] },
    }).replace('{', '{"__proto__":{"driver_id":"intruder"},"constructor":1,');
    const parsed = parseText(extended);
    expect(recordOf(parsed)).toEqual(record);
    expect(parsed.ok && Object.keys(parsed.record).sort()).toEqual(Object.keys(record).sort());
    expect(recordOf(parse({ ...driverProfile(), extra: 1 }))).toEqual(driverProfile());
    expect(recordOf(parse({ ...tripDeleted(), extra: 1 }))).toEqual(tripDeleted());
  });

  it('has the last of duplicate keys, as with JSON.parse', () => {
    const text = JSON.stringify(tripDeleted()).replace('{', '{"revision":"first",');
    expect(recordOf(parseText(text))).toEqual(tripDeleted());
  });

  it('does not find required fields in __proto__', () => {
    const text = '{"__proto__":{"fleet_id":"acme"},"kind":"trip.deleted","source_trip_id":"t","revision":1}';
    expect(refused(parseText(text))).toMatchObject({ reason: 'missing_field', field: '/fleet_id' });
  });

  it('has null or a default for optional fields that are absent or null', () => {
    const record = tripProcessed({ tracking_id: null, insurance_period: null });
    const inEvents = ['/events/0/event_name', '/events/1/event_name', '/events/0/event_data'];
    for (const path of ['/tracking_id', '/insurance_period', ...inEvents]) {
      expect(recordOf(parse(changed(record, path, undefined)))).toEqual(record);
      expect(recordOf(parse(changed(record, path, null)))).toEqual(record);
    }
    const nameless = { kind: 'driver.profile', fleet_id: 'acme', driver_id: 'driver-1', revision: 1 };
    const names = { first_name: null, last_name: null, email: null, alias: null };
    expect(recordOf(parse(nameless))).toEqual({ ...nameless, ...names });
    expect(recordOf(parse({ ...nameless, ...names }))).toEqual({ ...nameless, ...names });
  });

  it('has {} as the data of every trip event except overspeeding', () => {
    const parsed = parse(changed(tripProcessed(), '/events/0/event_data', { user_speed_mph: 5 }));
    expect(recordOf(parsed)).toEqual(tripProcessed());
  });

  it('has the summary of the source if present, and a derived summary otherwise', () => {
    const event_summary = { ...tripProcessed().event_summary, phone_use_count: 99, phone_use_time_seconds: 0.25 };
    expect(parse(tripProcessed({ event_summary }))).toMatchObject({ ok: true, record: { event_summary } });
    for (const absent of [undefined, null]) {
      const derived = parse(changed(tripProcessed({ event_summary }), '/event_summary', absent));
      expect(derived).toEqual({ ok: true, record: tripProcessed() });
    }
  });
});

describe('a line of an archive', () => {
  const [event] = tripProcessed().events;
  const stored = tripProcessed({
    events: event
      ? [{ ...event, event_type: 7, event_name: 'PHONE_USE', event_end_timestamp: event.event_start_timestamp - 5_250 }]
      : [],
    event_summary: { ...deriveEventSummary([]), phone_use_count: 1, phone_use_time_seconds: -5.25 },
  });
  const line = { ...stored, milepost: { position: 7 } };
  const parseArchived = (value: object) => parseArchivedRecord(bytes(JSON.stringify(value)), NOW);

  it('may have the negative seconds of an old derived summary, but no other record may', () => {
    expect(parseArchived(line)).toStrictEqual({ ok: true, record: stored });
    const fault = { ok: false, reason: 'invalid_field', field: '/event_summary/phone_use_time_seconds' };
    expect(parse(line)).toMatchObject(fault);
    expect(parseArchived(stored)).toMatchObject(fault);
    expect(parseArchived(changed(line, '/event_summary/phone_use_time_seconds', -5))).toMatchObject(fault);
    expect(parseArchived(changed(line, '/event_summary/phone_use_count', 2))).toMatchObject(fault);
    expect(parseArchived(changed(line, '/events/0/event_end_timestamp', 'soon'))).toMatchObject({ ok: false });
    expect(parseArchived(changed(line, '/milepost', 'here'))).toMatchObject(fault);
  });

  it('is otherwise accepted or refused like any other record', () => {
    const refusedLine = changed(line, '/event_summary/phone_use_count', -1);
    for (const record of [tripProcessed(), tripDeleted(), driverProfile(), refusedLine, {}])
      expect(parseArchived(record)).toStrictEqual(parse(record));
  });
});
