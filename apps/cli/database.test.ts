import { DatabaseUnusableError } from '@milepost/postgres';
import { expect, it } from 'vitest';
import { databaseError } from './database.ts';

const URL_WITH_PASSWORD = 'postgres://owner:top-secret@db.example:6432/trips';

/** Returns an error like those thrown by PostgreSQL's client. */
const withCode = (code: string, message = 'No.') => Object.assign(new Error(message), { code });

const NO_SCHEMA = 'has no Milepost schema yet: run `milepost migrate` first.';

it.each([
  [withCode('ECONNREFUSED', 'connect\n refused'), 'cannot be used: connect refused.'],
  [withCode('42703'), 'cannot be used: No..'],
  [withCode('28000', 'role "somebody" does not exist'), 'cannot be used: role "somebody" does not exist.'],
  [withCode('42P01'), NO_SCHEMA],
  [withCode('3F000'), NO_SCHEMA],
  [withCode('22023', 'role "milepost_operator" does not exist'), NO_SCHEMA],
])('databaseError names the database without its user, and the remedy for a missing schema: %s', (error, sentence) => {
  const { message } = databaseError(error, URL_WITH_PASSWORD);
  expect(message).toBe(`The database trips at db.example:6432 ${sentence}`);
});

it('databaseError does not change an error that already names a remedy', () => {
  const first = databaseError(withCode('42P01'), URL_WITH_PASSWORD);
  expect(databaseError(first, 'postgres://other/b')).toBe(first);
  const unusable = new DatabaseUnusableError('Run a newer release.');
  expect(databaseError(unusable, URL_WITH_PASSWORD)).toBe(unusable);
});
