import { type IncomingRecord, readRecord } from '@milepost/event-log';
import { expect, it } from 'vitest';
import { tripDeleted } from '../../../test/support/records.ts';
import { FileStart } from './file-start.ts';

const good = (offset: number): IncomingRecord => recordOf(offset, JSON.stringify(tripDeleted()));
const bad = (offset: number): IncomingRecord => recordOf(offset, 'not a record');

function recordOf(offset: number, text: string): IncomingRecord {
  const raw = Buffer.from(text);
  return { offset, raw, prepared: readRecord(raw, Date.now()) };
}

const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => bad(from + index));

it('lets records pass as they come once one of them can be stored, those before it too', () => {
  const start = new FileStart('file', false);
  expect(start.take(many(60))).toEqual([]);
  const rest = [...many(39, 61), good(100)];
  expect(start.take(rest)).toHaveLength(100);
  expect(start.take(many(500, 101))).toHaveLength(500);
  expect(start.end()).toEqual([]);
});

it('refuses a file whose first hundred records are refused, whatever comes behind them', () => {
  expect(() => new FileStart('file', false).take(many(100))).toThrow(
    'The first 100 records of file are all refused, so nothing of it was stored. Line 1: The record is not JSON',
  );
  expect(() => new FileStart('file', false).take([...many(100), good(101)])).toThrow(
    'The first 100 records of file are all refused',
  );
  const start = new FileStart('file', false);
  start.take(many(99));
  expect(() => start.take([bad(100)])).toThrow('The first 100 records');
});

it('gives back what it kept of a file that ends before', () => {
  const start = new FileStart('file', false);
  start.take(many(99));
  expect(start.end()).toHaveLength(99);
});

it('keeps no more bytes than there is room for', () => {
  const start = new FileStart('file', false);
  const large = () => ({ ...bad(1), raw: new Uint8Array(16 * 1024 * 1024) });
  expect(start.take([large(), large(), large(), large()])).toEqual([]);
  expect(start.take([large()])).toHaveLength(5);
});

it('lets everything pass when it is forced', () => {
  expect(new FileStart('file', true).take(many(100))).toHaveLength(100);
});
