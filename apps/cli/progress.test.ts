import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compact, createRetryReporter, remaining, withProgressBar } from './progress.ts';

it.each([
  [0.4, '0'],
  [999, '999'],
  [1_000, '1.00 k'],
  [999_499, '999 k'],
  [999_500, '1.00 M'],
  [7_000_000_000, '7.00 G'],
])('compact shortens %d', (value, text) => expect(compact(value)).toBe(text));

it.each([
  [0.2, '1s'],
  [59.1, '1m00s'],
  [185, '3m05s'],
  [3_600, '1h00m'],
  [Number.NaN, '?'],
])('remaining writes %d seconds as a duration', (seconds, text) => expect(remaining(seconds)).toBe(text));

const texts: string[] = [];
const terminal = (isTTY: boolean) => {
  const write = (text: string) => texts.push(text) > 0;
  vi.stubGlobal('process', Object.create(process, { stderr: { value: { isTTY, columns: 200, write } } }));
};
beforeEach(() => {
  texts.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('the first transient error is reported, and later ones at intervals of at least 10 seconds', () => {
  terminal(false);
  const report = createRetryReporter('The database does not respond');
  for (const wait of [0, 9_999, 1, 9_999, 1]) {
    vi.advanceTimersByTime(wait);
    report(new Error(`Failure ${wait}`));
  }
  expect(texts).toEqual([0, 1, 1].map((wait) => `The database does not respond: Failure ${wait}. Retrying.\n`));
});

it('a progress bar shows the rate, and the remaining time as soon as the total is known', async () => {
  terminal(true);
  const work = withProgressBar('Checking', ' B', async (update) => {
    await vi.advanceTimersByTimeAsync(2_000);
    update(3_000, null);
    await vi.advanceTimersByTimeAsync(2_000);
    update(6_000, 24_000);
    await vi.advanceTimersByTimeAsync(1_000);
    throw new Error('No.');
  });
  await expect(work).rejects.toThrow('No.');
  expect(texts.join('')).toMatch(/Checking: 3.00 k B, 1.\d\d k B\/s/);
  expect(texts.join('')).toMatch(/Checking \S+ 25%, 6.00 k B, 1.\d\d k B\/s, 1[2-5]s left/);
  expect(vi.getTimerCount()).toBe(0);
});

it('a progress bar appears only if stderr is a terminal', async () => {
  terminal(false);
  await withProgressBar('Checking', ' B', async (update) => update(1, 2));
  expect(texts).toEqual([]);
});
