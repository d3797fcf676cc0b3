import { DatabaseUnusableError } from '@milepost/postgres';
import { describe, expect, it } from 'vitest';
import { databaseError, isNotMigrated } from './database.ts';

const URL_WITH_PASSWORD = 'postgres://owner:top-secret@db.example:6432/trips';

/** Returns an error as PostgreSQL's client throws it. */
const withCode = (code: string, message = 'No.') => Object.assign(new Error(message), { code });

describe('the error of a database that cannot be used', () => {
  it('names the database, its host and its port, but no user and no password', () => {
    const { message } = databaseError(withCode('ECONNREFUSED', 'connect\n refused'), URL_WITH_PASSWORD);
    expect(message).toBe('The database trips at db.example:6432 cannot be used: connect refused.');
    expect(databaseError(new Error('No'), 'postgres://db.example/trips').message).toBe(
      'The database trips at db.example cannot be used: No.',
    );
  });

  it('names the command that creates the schema when the schema is missing', () => {
    for (const error of [
      withCode('42P01'),
      withCode('3F000'),
      withCode('22023', 'role "milepost_operator" does not exist'),
    ]) {
      expect(isNotMigrated(error)).toBe(true);
      expect(databaseError(error, URL_WITH_PASSWORD).message).toBe(
        'The database trips at db.example:6432 has no Milepost schema yet: run `milepost migrate` first.',
      );
    }
  });

  it('does not blame the schema for another error', () => {
    for (const error of [
      withCode('42703'),
      withCode('28000', 'role "somebody" does not exist'),
      new Error('42P01'),
      null,
    ]) {
      expect(isNotMigrated(error)).toBe(false);
    }
  });

  it('stays as it is when it already has a remedy', () => {
    const first = databaseError(withCode('42P01'), URL_WITH_PASSWORD);
    expect(databaseError(first, 'postgres://other/b')).toBe(first);
    const unusable = new DatabaseUnusableError('Run a newer release.');
    expect(databaseError(unusable, URL_WITH_PASSWORD)).toBe(unusable);
  });
});
