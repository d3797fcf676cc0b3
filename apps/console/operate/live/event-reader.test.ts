import { expect, it } from 'vitest';
import { EventReader } from './event-reader.ts';

const STREAM =
  'event: status\ndata: {"a": 1}\n\n: a comment\n\ndata: one\ndata: two\n\nevent: unavailable\r\ndata: {}\r\n\r\n';
const EVENTS = [
  { name: 'status', data: '{"a": 1}' },
  { name: 'message', data: 'one\ntwo' },
  { name: 'unavailable', data: '{}' },
];

it.each([1, 2, 3, 7, 1_000])('reads the same events from pieces of %i characters', (size) => {
  const reader = new EventReader();
  const pieces = STREAM.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect(pieces.flatMap((piece) => reader.read(piece))).toEqual(EVENTS);
});

it('keeps an event back until it is whole', () => {
  const reader = new EventReader();
  expect(reader.read('event: status\ndata: {')).toEqual([]);
  expect(reader.read('}\n')).toEqual([]);
  expect(reader.read('\n')).toEqual([{ name: 'status', data: '{}' }]);
});
