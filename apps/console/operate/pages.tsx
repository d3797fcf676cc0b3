import { useState } from 'preact/hooks';

/**
 * The paging of a list, newest entries first. The current page starts below the id `before`, which is null for the
 * first page. `buttons` returns the buttons for the adjacent pages.
 */
export function usePages() {
  const [before, setBefore] = useState<readonly number[]>([]);
  /** @param next the id below which the next page starts; null if there is no next page */
  const buttons = (next: number | null) => (
    <div class="actions">
      {before.length > 0 && (
        <button type="button" onClick={() => setBefore(before.slice(0, -1))}>
          Newer
        </button>
      )}
      {next !== null && (
        <button type="button" onClick={() => setBefore([...before, next])}>
          Older
        </button>
      )}
    </div>
  );
  return { before: before.at(-1) ?? null, buttons };
}
