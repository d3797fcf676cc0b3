import { beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../support/command.ts';

/** A Wednesday, in the last second of a UTC day. */
const NOW = Date.parse('2025-10-15T23:59:59Z');
/** No server listens at this address, so an export with valid days fails for that reason. */
const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  return () => void vi.useRealTimers();
});

/** Exports these days. Returns what the command writes to stderr. */
async function failureOf(subject: string, from: string, to: string): Promise<string> {
  const days = ['--fleet', 'acme', '--from', from, '--to', to, '--format', 'csv'];
  return (await run(['export', subject, ...days], { DATABASE_URL })).stderr;
}

describe('the days of an export', () => {
  it.each([
    ['days', '2025-04-15', '2025-10-14'],
    ['days', '2025-10-14', '2025-10-14'],
    ['trips', '2025-04-15', '2025-10-15'],
    ['trips', '2025-10-15', '2025-10-15'],
    ['weeks', '2025-04-21', '2025-10-14'],
    ['weeks', '2025-10-13', '2025-10-13'],
  ])('can range from the first to the last day that the API accepts: %s from %s to %s', async (subject, from, to) => {
    expect(await failureOf(subject, from, to)).toContain('The database none at 127.0.0.1:1 cannot be used');
  });

  it.each([
    ['days', '2025-04-14', '2025-10-14', '--from must be from 2025-04-15 to 2025-10-14 (UTC), but it is 2025-04-14.'],
    ['days', '2025-10-01', '2025-10-15', '--to must be from 2025-04-15 to 2025-10-14 (UTC), but it is 2025-10-15.'],
    ['weeks', '2025-10-13', '2025-10-15', '--to must be from 2025-04-15 to 2025-10-14 (UTC), but it is 2025-10-15.'],
    ['trips', '2025-10-01', '2025-10-16', '--to must be from 2025-04-15 to 2025-10-15 (UTC), but it is 2025-10-16.'],
    ['trips', '2025-10-02', '2025-10-01', '--from (2025-10-02) must not be later than --to (2025-10-01).'],
    ['weeks', '2025-10-12', '2025-10-14', '--from must be a Monday, such as 2025-10-06, but it is 2025-10-12.'],
    ['weeks', '2025-10-14', '2025-10-14', '--from must be a Monday, such as 2025-10-13, but it is 2025-10-14.'],
  ])('are refused outside: %s from %s to %s', async (subject, from, to, sentence) => {
    expect(await failureOf(subject, from, to)).toBe(`milepost: ${sentence}\n`);
  });
});
