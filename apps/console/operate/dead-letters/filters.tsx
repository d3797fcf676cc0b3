import { useState } from 'preact/hooks';
import { type DeadLetterFilter, NO_FILTER } from '../route.ts';

const FIELDS = [
  ['reason', 'Reason', 'such as invalid_field'],
  ['source', 'Topic or file', 'such as milepost.trips'],
  ['field', 'Invalid field', 'such as /events'],
  ['fleet_id', 'Fleet', 'such as acme'],
] as const;

/** The filters of the list of dead letters. */
export function Filters({
  filter,
  onChange,
}: {
  filter: DeadLetterFilter;
  onChange: (filter: DeadLetterFilter) => void;
}) {
  const [draft, setDraft] = useState(filter);
  return (
    <form
      class="filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ ...draft, reason: draft.reason.trim().replaceAll(' ', '_') });
      }}
    >
      {FIELDS.map(([name, title, example]) => (
        <label key={name}>
          {title}
          <input
            type="text"
            placeholder={example}
            value={draft[name]}
            onInput={({ currentTarget }) => setDraft({ ...draft, [name]: currentTarget.value })}
          />
        </label>
      ))}
      <label class="flag">
        <input
          type="checkbox"
          checked={draft.all}
          onChange={({ currentTarget }) => setDraft({ ...draft, all: currentTarget.checked })}
        />
        Include settled
      </label>
      <button type="submit">Filter</button>
      <button type="button" onClick={() => onChange(NO_FILTER)}>
        Clear
      </button>
    </form>
  );
}
