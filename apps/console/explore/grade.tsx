import { decimal, NONE } from '../shared/format.ts';

/** A score with its grade in words: colour alone tells nobody anything. */
export function Score({ score, grade }: { score: number | null; grade: string | null }) {
  if (score === null || grade === null) return <span class="quiet">{NONE}</span>;
  return (
    <span class={`grade ${grade}`}>
      <b>{decimal(score)}</b> {grade}
    </span>
  );
}

/** The areas in focus, by the flags that the service sets. */
export function FocusAreas({ focus }: { focus: Readonly<Record<string, boolean>> }) {
  const names = Object.entries(focus).filter(([, isInFocus]) => isInFocus);
  if (names.length === 0) return <span class="quiet">none</span>;
  return (
    <span class="chips">
      {names.map(([name]) => (
        <span key={name} class="chip">
          {name.replace('is_', '').replaceAll('_', ' ')}
        </span>
      ))}
    </span>
  );
}
