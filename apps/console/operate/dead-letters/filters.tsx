import { useState } from 'preact/hooks';
import { type LetterFilter, NO_FILTER } from '../route.ts';

const FIELDS = [
  ['reason', 'Reason', 'such as invalid_field'],
  ['source', 'Topic or file', 'such as milepost.trips'],
  ['field', 'Field at fault', 'such as /events'],
  ['fleet_id', 'Fleet', 'such as acme'],
] as const;

/** Asks which dead letters are meant. */
export function Filters({ filter, onChange }: { filter: LetterFilter; onChange: (filter: LetterFilter) => void }) {
  const [own, setOwn] = useState(filter);
  return (
    <form
      class="filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ ...own, reason: own.reason.trim().replaceAll(' ', '_') });
      }}
    >
      {FIELDS.map(([name, title, example]) => (
        <label key={name}>
          {title}
          <input
            type="text"
            placeholder={example}
            value={own[name]}
            onInput={({ currentTarget }) => setOwn({ ...own, [name]: currentTarget.value })}
          />
        </label>
      ))}
      <label class="flag">
        <input
          type="checkbox"
          checked={own.all}
          onChange={({ currentTarget }) => setOwn({ ...own, all: currentTarget.checked })}
        />
        Settled ones too
      </label>
      <button type="submit">Filter</button>
      <button type="button" onClick={() => onChange(NO_FILTER)}>
        All
      </button>
    </form>
  );
}
