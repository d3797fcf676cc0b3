/**
 * Another process has claimed the source since, or its offset has moved: what this process wanted to store was not
 * stored, and it must claim the source again before it goes on.
 */
export class SourceFencedError extends Error {
  override name = 'SourceFencedError';
}
