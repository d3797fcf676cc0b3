import { readFile, writeFile } from 'node:fs/promises';

/** A reader's position in a log, and the end of the log. */
interface Progress {
  at: number;
  end: number;
}

/** The progress of each projection or partition, by name. */
export type Progresses = Record<string, Progress>;

/**
 * Returns the names of stalled readers, which were behind at the previous check, are still behind, and have not moved.
 * A reader that is behind but moving is healthy, because a long backlog takes time. Exported for tests.
 */
export function stalledReaders(previous: Progresses, current: Progresses): string[] {
  return Object.entries(current)
    .filter(([name, { at, end }]) => {
      const before = previous[name];
      return before !== undefined && before.at < before.end && at < end && at <= before.at;
    })
    .map(([name]) => name);
}

/**
 * Stores the current progress in `file`, and returns the names of readers that have stalled since the previous check.
 */
export async function stalledSince(file: string, current: Progresses): Promise<string[]> {
  const previous: Progresses = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  await writeFile(file, JSON.stringify(current));
  return stalledReaders(previous, current);
}
