import { expect, it } from 'vitest';
import { causeOf, messageOf } from './log.ts';

it('the message of an error is never empty', () => {
  expect(messageOf(new Error('The connection was lost.'))).toBe('The connection was lost.');
  expect(messageOf(new TypeError(''))).toBe('TypeError');
  expect(messageOf('lost')).toBe('lost');
  expect(messageOf(undefined)).toBe('undefined');
});

it('the cause in a sentence has no full stop of its own', () => {
  expect(causeOf(new Error('The move has ended.'))).toBe('The move has ended');
  expect(causeOf(new Error('unexpected end of file'))).toBe('unexpected end of file');
});
