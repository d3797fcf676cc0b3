import { describe, expect, it } from 'vitest';
import { waitForReport } from './wait.ts';

const NO_DELAYS = { pollMilliseconds: 0, noticeAfterMilliseconds: 0, maxMilliseconds: 3_600_000 };
const NEVER_ABORTED = new AbortController().signal;

/** Returns false for this number of calls, then true. */
function trueAfter(rounds: number): () => Promise<boolean> {
  let left = rounds;
  return async () => {
    left -= 1;
    return left < 0;
  };
}

describe('waitForReport', () => {
  it('resolves when the report exists, and says only once that the audit takes a long time', async () => {
    const sentences: string[] = [];
    await waitForReport(7, trueAfter(3), (sentence) => sentences.push(sentence), NEVER_ABORTED, NO_DELAYS);
    expect(sentences).toEqual([
      'Audit 7 has no report yet: either it is taking a long time, or no worker has started it.',
    ]);
  });

  it('rejects when the maximum wait has passed, and names the command that shows the report', async () => {
    const waiting = waitForReport(
      7,
      async () => false,
      () => {},
      NEVER_ABORTED,
      { ...NO_DELAYS, maxMilliseconds: 0 },
    );
    await expect(waiting).rejects.toThrow(
      'Audit 7 has no report after 0 minutes: is an ops process running on the server? `milepost audit show 7` shows the report when it is ready.',
    );
  });

  it('rejects when its signal aborts', async () => {
    const waiting = waitForReport(
      7,
      async () => false,
      () => {},
      AbortSignal.abort(),
      NO_DELAYS,
    );
    await expect(waiting).rejects.toThrow(/abort/);
  });
});
