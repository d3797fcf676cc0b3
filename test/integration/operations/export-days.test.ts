import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../../apps/cli/program.ts';

/** A Wednesday, in the last second of a UTC day. */
const NOW = Date.parse('2025-10-15T23:59:59Z');

// A command does not keep its process alive just to wait for messages from its parent. Without this timer, Vitest's
// process would end in the middle of a test that waits for such a message.
let keepAlive: NodeJS.Timeout;

beforeEach(() => {
  keepAlive = setInterval(() => {}, 60_000);
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  // No server listens at this address, so an export with valid days fails for that reason.
  vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  process.channel?.ref();
  clearInterval(keepAlive);
});

/** Returns the error message of an export of these days. */
async function failureOf(subject: string, from: string, to: string): Promise<string> {
  const days = ['--fleet', 'acme', '--from', from, '--to', to, '--format', 'csv'];
  const words = ['export', subject, ...days];
  const program = await createProgram(words);
  return await program.parseAsync(words, { from: 'user' }).then(
    () => '',
    (error: Error) => error.message,
  );
}

describe('the days of an export', () => {
  const VALID = 'The database none at 127.0.0.1:1 cannot be used';

  it.each([
    ['days', '2025-04-15', '2025-10-14'],
    ['days', '2025-10-14', '2025-10-14'],
    ['trips', '2025-04-15', '2025-10-15'],
    ['trips', '2025-10-15', '2025-10-15'],
    ['weeks', '2025-04-21', '2025-10-14'],
    ['weeks', '2025-10-13', '2025-10-13'],
  ])('can range from the first to the last day that the API accepts: %s from %s to %s', async (subject, from, to) => {
    expect(await failureOf(subject, from, to)).toContain(VALID);
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
    expect(await failureOf(subject, from, to)).toBe(sentence);
  });
});
