import { type IncomingRecord, readRecord } from '@milepost/event-log/prepare';
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

it('FileStart releases all kept records with the first valid one, and all later records immediately', () => {
  const start = new FileStart('file', false);
  expect(start.take(many(60))).toEqual([]);
  const rest = [...many(39, 61), good(100)];
  expect(start.take(rest)).toHaveLength(100);
  expect(start.take(many(500, 101))).toHaveLength(500);
  expect(start.end()).toEqual([]);
});

it('FileStart refuses a file whose first 100 records are all refused, whatever follows', () => {
  expect(() => new FileStart('file', false).take(many(100))).toThrow(
    'The first 100 records of file are all refused, so nothing from it was stored. Line 1: The record is not JSON',
  );
  expect(() => new FileStart('file', false).take([...many(100), good(101)])).toThrow(
    'The first 100 records of file are all refused',
  );
  const start = new FileStart('file', false);
  start.take(many(99));
  expect(() => start.take([bad(100)])).toThrow('The first 100 records');
});

it('FileStart releases the kept records of a file with fewer than 100 records', () => {
  const start = new FileStart('file', false);
  start.take(many(99));
  expect(start.end()).toHaveLength(99);
});

it('FileStart releases its records when they exceed its limit in bytes', () => {
  const start = new FileStart('file', false);
  const large = () => ({ ...bad(1), raw: new Uint8Array(16 * 1024 * 1024) });
  expect(start.take([large(), large(), large(), large()])).toEqual([]);
  expect(start.take([large()])).toHaveLength(5);
});

it('FileStart passes all records on when the file is forced', () => {
  expect(new FileStart('file', true).take(many(100))).toHaveLength(100);
});
