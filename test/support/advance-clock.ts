import { onTestFinished, vi } from 'vitest';

/** Moves the monotonic clock of this process forward by some milliseconds, until the test ends. */
export function advanceClock(milliseconds: number): void {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
  onTestFinished(() => clock.mockRestore());
}
