import { expect, it } from 'vitest';
import { EventReader } from './event-reader.ts';

const STREAM =
  'event: status\ndata: {"a": 1}\n\n: a comment\n\ndata: one\ndata: two\n\nevent: unavailable\r\ndata: {}\r\n\r\n';
const EVENTS = [
  { name: 'status', data: '{"a": 1}' },
  { name: 'message', data: 'one\ntwo' },
  { name: 'unavailable', data: '{}' },
];

it.each([1, 2, 3, 7, 1_000])('EventReader parses the same events from chunks of %i characters', (size) => {
  const reader = new EventReader();
  const chunks = STREAM.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect(chunks.flatMap((chunk) => reader.read(chunk))).toEqual(EVENTS);
});

it('EventReader returns an event as soon as it is complete', () => {
  const reader = new EventReader();
  expect(reader.read('event: status\ndata: {')).toEqual([]);
  expect(reader.read('}\n')).toEqual([]);
  expect(reader.read('\n')).toEqual([{ name: 'status', data: '{}' }]);
});

it('EventReader removes only one space after the colon, and uses the last of several names', () => {
  const [event, ...others] = new EventReader().read('id: 7\nevent:one\nevent: two\ndata:  a: b\ndata:\nretry: 9\n\n');
  expect(event).toEqual({ name: 'two', data: ' a: b\n' });
  expect(others).toEqual([]);
});

it('EventReader separates two events in one chunk, and ignores an event without data', () => {
  const events = new EventReader().read('event: status\ndata: 1\n\nevent: status\n\nevent: status\ndata: 2\n\n');
  expect(events).toEqual([
    { name: 'status', data: '1' },
    { name: 'status', data: '2' },
  ]);
});
