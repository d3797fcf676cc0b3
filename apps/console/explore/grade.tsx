import { decimal, NONE } from '../shared/format.ts';

/** A score with its grade. The grade is also text, because not everyone can distinguish the colours. */
export function Score({ score, grade }: { score: number | null; grade: string | null }) {
  if (score === null || grade === null) return <span class="quiet">{NONE}</span>;
  return (
    <span class={`grade ${grade}`}>
      <b>{decimal(score)}</b> {grade}
    </span>
  );
}

/** The focus areas whose flag is true. */
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
