import { describe, expect, it } from 'vitest';
import { untilReported } from './wait.ts';

const AT_ONCE = { pollMilliseconds: 0, usualMilliseconds: 0, longestMilliseconds: 3_600_000 };
const NEVER = new AbortController().signal;

/** Answers no so many times, then yes. */
function after(rounds: number): () => Promise<boolean> {
  let left = rounds;
  return async () => {
    left -= 1;
    return left < 0;
  };
}

describe('who waits for the report of an audit', () => {
  it('has it once it is there, and was told once that it takes long', async () => {
    const said: string[] = [];
    await untilReported(7, after(3), (sentence) => said.push(sentence), NEVER, AT_ONCE);
    expect(said).toEqual(['Audit 7 has no report yet: either it takes long, or no worker has begun it.']);
  });

  it('is told after the longest wait where to find it', async () => {
    const waiting = untilReported(
      7,
      async () => false,
      () => {},
      NEVER,
      { ...AT_ONCE, longestMilliseconds: 0 },
    );
    await expect(waiting).rejects.toThrow(
      'Audit 7 has no report after 0 minutes: does the worker of the server run? `milepost audit show 7` shows the report once it is there.',
    );
  });

  it('can stop', async () => {
    const waiting = untilReported(
      7,
      async () => false,
      () => {},
      AbortSignal.abort(),
      AT_ONCE,
    );
    await expect(waiting).rejects.toThrow(/abort/);
  });
});
