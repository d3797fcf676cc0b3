import { beforeEach, expect, it, vi } from 'vitest';
import { run } from '../../support/command.ts';

/** A Wednesday, in the last second of a UTC day. */
const NOW = Date.parse('2025-10-15T23:59:59Z');
/** No server listens at this address, so an export with valid days fails for that reason. */
const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  return () => void vi.useRealTimers();
});

const CONNECTS = 'The database none at 127.0.0.1:1 cannot be used';
const THE_DAYS = 'must be from 2025-04-15 to 2025-10-14 (UTC), but it is';

it.each([
  ['days', '2025-04-15', '2025-10-14', CONNECTS],
  ['days', '2025-10-14', '2025-10-14', CONNECTS],
  ['trips', '2025-04-15', '2025-10-15', CONNECTS],
  ['trips', '2025-10-15', '2025-10-15', CONNECTS],
  ['weeks', '2025-04-21', '2025-10-14', CONNECTS],
  ['weeks', '2025-10-13', '2025-10-13', CONNECTS],
  ['days', '2025-04-14', '2025-10-14', `--from ${THE_DAYS} 2025-04-14.\n`],
  ['days', '2025-10-01', '2025-10-15', `--to ${THE_DAYS} 2025-10-15.\n`],
  ['weeks', '2025-10-13', '2025-10-15', `--to ${THE_DAYS} 2025-10-15.\n`],
  ['trips', '2025-10-01', '2025-10-16', '--to must be from 2025-04-15 to 2025-10-15 (UTC), but it is 2025-10-16.\n'],
  ['trips', '2025-10-02', '2025-10-01', '--from (2025-10-02) must not be later than --to (2025-10-01).\n'],
  ['weeks', '2025-10-12', '2025-10-14', '--from must be a Monday, such as 2025-10-06, but it is 2025-10-12.\n'],
  ['weeks', '2025-10-14', '2025-10-14', '--from must be a Monday, such as 2025-10-13, but it is 2025-10-14.\n'],
])('an export of %s from %s to %s accepts the same days as the API: %s', async (subject, from, to, start) => {
  const days = ['--fleet', 'acme', '--from', from, '--to', to, '--format', 'csv'];
  const { stderr } = await run(['export', subject, ...days], { DATABASE_URL });
  const said = `milepost: ${start}`;
  expect(start === CONNECTS ? stderr.slice(0, said.length) : stderr).toBe(said);
});
