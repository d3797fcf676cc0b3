import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compact, createRetryReporter, remaining, withProgressBar } from './progress.ts';

describe('figures beside a progress bar', () => {
  it.each([
    [0, '0'],
    [0.4, '0'],
    [999, '999'],
    [1_000, '1.00 k'],
    [12_345, '12.3 k'],
    [999_499, '999 k'],
    [999_500, '1.00 M'],
    [4_560_000, '4.56 M'],
    [7_000_000_000, '7.00 G'],
  ])('are shortened: %d', (value, text) => expect(compact(value)).toBe(text));

  it.each([
    [0, '0s'],
    [0.2, '1s'],
    [59, '59s'],
    [59.1, '1m00s'],
    [185, '3m05s'],
    [3_599, '59m59s'],
    [3_600, '1h00m'],
    [7_800, '2h10m'],
    [Number.NaN, '?'],
    [Number.POSITIVE_INFINITY, '?'],
  ])('are written as a duration: %d seconds', (seconds, text) => expect(remaining(seconds)).toBe(text));
});

describe('reports of transient errors', () => {
  let now = 0;
  let written: string[] = [];
  beforeEach(() => {
    now = 5;
    written = [];
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('begin with the first error, and follow each other at intervals of 10 seconds or more', () => {
    const report = createRetryReporter('The database does not answer');
    const times = [5, 10_004, 10_005, 20_004, 20_005];
    for (const time of times) {
      now = time;
      report(new Error(`Failure at ${time}`));
    }
    expect(written).toEqual(
      [5, 10_005, 20_005].map((time) => `The database does not answer: Failure at ${time}. Retrying.\n`),
    );
  });

  it('of two subjects do not suppress each other', () => {
    createRetryReporter('One')(new Error('a'));
    createRetryReporter('Other')(new Error('b'));
    expect(written).toEqual(['One: a. Retrying.\n', 'Other: b. Retrying.\n']);
  });
});

describe('a progress bar', () => {
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

  it('shows the amount and the rate, and the share and the remaining time as soon as the total is known', async () => {
    terminal(true);
    const result = await withProgressBar('Checking', ' B', async (update) => {
      await vi.advanceTimersByTimeAsync(2_000);
      update(3_000, null);
      await vi.advanceTimersByTimeAsync(2_000);
      update(6_000, 24_000);
      await vi.advanceTimersByTimeAsync(1_000);
      return 'done';
    });
    expect(result).toBe('done');
    const shown = texts.join('');
    expect(shown).toMatch(/Checking: 3.00 k B, 1.\d\d k B\/s/);
    expect(shown).toMatch(/Checking \S+ 25 %, 6.00 k B, 1.\d\d k B\/s, 1[2-5]s left/);
  });

  it('is removed after the work and after its failure, and does not hide the error', async () => {
    terminal(true);
    await withProgressBar('Checking', ' B', async (update) => update(1, 2));
    expect(vi.getTimerCount()).toBe(0);
    const failed = withProgressBar('Checking', ' B', async () => await Promise.reject(new Error('No.')));
    await expect(failed).rejects.toThrow('No.');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not appear where stderr is not a terminal', async () => {
    terminal(false);
    expect(await withProgressBar('Checking', ' B', async (update) => update(1, 2))).toBeUndefined();
    expect(texts).toEqual([]);
  });
});
