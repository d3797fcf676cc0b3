import { onTestFinished, vi } from 'vitest';

/** Advances this process's monotonic clock by a number of milliseconds for the rest of the test. */
export function advanceClock(milliseconds: number): void {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
  onTestFinished(() => clock.mockRestore());
}
