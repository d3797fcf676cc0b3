import { readFile, writeFile } from 'node:fs/promises';

/** How far a reader has come in something that grows, and where that ends. */
interface Progress {
  at: number;
  end: number;
}

/** By the name of what is read. */
export type Progresses = Record<string, Progress>;

/**
 * The names of what stands still: was behind at the previous check, is behind now, and has not moved in between. Being
 * behind alone is no fault: a long backlog takes its time. Exported for tests.
 */
export function standingStill(previous: Progresses, current: Progresses): string[] {
  return Object.entries(current)
    .filter(([name, { at, end }]) => {
      const before = previous[name];
      return before !== undefined && before.at < before.end && at < end && at <= before.at;
    })
    .map(([name]) => name);
}

function isProgresses(value: unknown): value is Progresses {
  return typeof value === 'object' && value !== null;
}

/** What stands still since the previous check, which is kept in `file`. */
export async function standingStillSince(file: string, current: Progresses): Promise<string[]> {
  const previous: unknown = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  await writeFile(file, JSON.stringify(current));
  return standingStill(isProgresses(previous) ? previous : {}, current);
}
