import { expect, it } from 'vitest';
import { messageOf } from './log.ts';

it('the message of an error is never empty', () => {
  expect(messageOf(new Error('The connection was lost.'))).toBe('The connection was lost.');
  expect(messageOf(new TypeError(''))).toBe('TypeError');
  expect(messageOf('lost')).toBe('lost');
  expect(messageOf(undefined)).toBe('undefined');
});
