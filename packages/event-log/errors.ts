/**
 * Another process has claimed the source since, its offset has moved, or it was stopped: what this process wanted to store was not
 * stored, and it must claim the source again before it goes on.
 */
export class SourceFencedError extends Error {
  override name = 'SourceFencedError';
}
