import { describe, expect, it } from 'vitest';
import { mentionsId } from './mentions.ts';

const PLAIN = [
  '7',
  '17',
  'ada',
  'jane.doe',
  'a+b(c)[d]|e$',
  '.*',
  '%41',
  '🚗',
  'víctim "x"/42',
  "O'Neil",
  'a\\b',
  'ab ',
  '\\u0041',
];

/** Ways to write a driver's id in messages, reports and URLs. */
const WAYS: readonly [string, (id: string) => string][] = [
  ['a sentence', (id) => `Cannot apply the stored event of driver ${id}.`],
  ['a key', (id) => `acme/${id}`],
  ['the start of a sentence', (id) => `${id}: no such row`],
  ['a row', (id) => `(acme,${id},12)`],
  ['a quoted row', (id) => `(acme,"${id.replaceAll('"', '""')}",12)`],
  ['an SQL literal', (id) => `driver_id = '${id.replaceAll("'", "''")}'`],
  ['JSON', (id) => JSON.stringify({ driver_id: id })],
  ['JSON in a quoted row', (id) => `("${JSON.stringify({ driver_id: id }).replaceAll('"', '""')}")`],
  ['JSON in JSON', (id) => JSON.stringify({ live: JSON.stringify({ driver_id: id }) })],
  ['JSON in JSON in JSON', (id) => JSON.stringify(JSON.stringify(JSON.stringify(id)))],
  [
    'JSON in ASCII',
    (id) =>
      JSON.stringify(id).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  ['a line of JSON', (id) => JSON.stringify(`first line\n${id}\tand more`)],
  ['a URL', (id) => `POST /drivers/acme/${encodeURIComponent(id)}/erasure`],
  ['a URL after another escape', (id) => `/drivers/a%20b%2F${encodeURIComponent(id)}`],
];

describe('mentionsId', () => {
  it.each(WAYS)('finds an id in %s, whatever its characters', (_way, write) => {
    for (const id of PLAIN) expect(mentionsId(id)(write(id)), `${id} in ${write(id)}`).toBe(true);
  });

  it('finds an id in a URL that also contains bytes other than UTF-8', () => {
    expect(mentionsId('ada lovelace')('/drivers/%ff%fe/ada%20lovelace')).toBe(true);
    expect(mentionsId('7')('/drivers/x%ff7')).toBe(false);
  });

  it('finds only the whole id', () => {
    const isSeven = mentionsId('7');
    for (const text of [
      'driver 17',
      'driver-7',
      '7-eleven',
      '51.7',
      '7.25 miles',
      'x7',
      '7x',
      '_7',
      'at 07:07:17, 12:7:00',
      '2025-01-7T08:00:00Z',
      'the stored event at position 7: it is broken',
      'é7',
      '𝐱-7',
      '7\u0301',
      'driver-17, revision 27',
      'the stored event at position 7 (fleet acme, driver 8, trip 0a, revision 7, from trips/7 offset 7): it is broken',
      'Not promoted: 7 rows differ from the live read tables',
    ]) {
      expect(isSeven(text), text).toBe(false);
    }
    for (const text of ['driver 7.', 'driver 7: x', '7', '(7)', 'driver 17 and 7', '"7"', 'driver 7, 8']) {
      expect(isSeven(text), text).toBe(true);
    }
    expect(mentionsId('7 7')('driver 17 7 7')).toBe(true);
    expect(mentionsId('position 7')('driver position 7')).toBe(true);
    expect(mentionsId('ada')('adam, Canada and ada.lovelace')).toBe(false);
    expect(mentionsId('.*')('anything')).toBe(false);
    expect(mentionsId('jane.doe')('janeXdoe, jane.doe2')).toBe(false);
  });
});
