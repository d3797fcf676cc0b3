import { onTestFinished, vi } from 'vitest';

const realNow = performance.now.bind(performance);

/** Sets this process's monotonic clock ahead by a number of milliseconds for the rest of the test. */
export function advanceClock(milliseconds: number): void {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + milliseconds);
  onTestFinished(() => clock.mockRestore());
}
