import { expect, it } from 'vitest';
import { mostUsefulLine, programError } from './failures.ts';

it('the reason for a PostgreSQL failure is its last error with the detail, without time and process id', () => {
  const log = [
    '2026-01-01 00:00:00.000 UTC [7] LOG:  starting PostgreSQL 18.4',
    '2026-01-01 00:00:00.000 UTC [7] FATAL:  database files are incompatible with server',
    '2026-01-01 00:00:00.000 UTC [7] DETAIL:  The data directory was initialized by PostgreSQL version 17.',
    '2026-01-01 00:00:00.000 UTC [7] LOG:  database system is shut down',
  ];
  expect(mostUsefulLine(log.join('\n'))).toBe(
    'database files are incompatible with server (The data directory was initialized by PostgreSQL version 17.)',
  );
});

it('the reason for a PostgreSQL failure is the full disk, not the errors that follow', () => {
  const output = [
    '2026-01-01 00:00:00.000 UTC [7] FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10',
    '2026-01-01 00:00:00.000 UTC [7] HINT:  Check free disk space.',
    '2026-01-01 00:00:00.000 UTC [7] PANIC:  cannot abort transaction 1, it was already committed',
  ];
  expect(programError('start', '/data', output.join('\n')).message).toBe(
    'PostgreSQL could not start (the disk that holds /data is full): could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10',
  );
});

it('the reason for a PostgreSQL failure is the last line when no line is an error', () => {
  expect(mostUsefulLine('one\ntwo\n')).toBe('two');
  expect(mostUsefulLine('')).toBe('no message');
});
