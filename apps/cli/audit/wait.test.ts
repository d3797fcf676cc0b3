import { expect, it, vi } from 'vitest';
import { waitForReport } from './wait.ts';

const LIMITS = { pollMilliseconds: 0, noticeAfterMilliseconds: 0, maxMilliseconds: 3_600_000 };

/** Waits for a report that is missing at the first `rounds` checks. Returns the sentences that the command prints. */
async function wait(rounds: number, signal: AbortSignal, limits = LIMITS): Promise<string[]> {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  let left = rounds;
  const hasReport = async () => {
    left -= 1;
    return left < 0;
  };
  await waitForReport(7, hasReport, signal, limits);
  return write.mock.calls.map(([sentence]) => String(sentence));
}

it('waitForReport resolves when the report exists, and says once that the audit is taking a long time', async () => {
  expect(await wait(3, new AbortController().signal)).toEqual([
    'Audit 7 has no report yet: either it is taking a long time, or no worker has started it.\n',
  ]);
});

it('waitForReport rejects when its signal aborts or the maximum wait has passed', async () => {
  await expect(wait(9, AbortSignal.abort())).rejects.toThrow(/abort/);
  await expect(wait(9, new AbortController().signal, { ...LIMITS, maxMilliseconds: 0 })).rejects.toThrow(
    /^Audit 7 has no report after 0 minutes: .* `milepost audit show 7`/,
  );
});
