import { useState } from 'preact/hooks';
import { Form } from '../../shared/form.tsx';
import { Flag, TextField } from '../../shared/text-field.tsx';
import { type DeadLetterFilter, NO_FILTER } from '../route.ts';

const FIELDS = [
  ['reason', 'Reason', 'such as invalid_field'],
  ['source', 'Topic or file', 'such as milepost.trips'],
  ['field', 'Invalid field', 'such as /events'],
  ['fleet_id', 'Fleet', 'such as acme'],
] as const;

interface FiltersProps {
  filter: DeadLetterFilter;
  onChange: (filter: DeadLetterFilter) => void;
}

/** The filters for the list of dead letters. */
export function Filters({ filter, onChange }: FiltersProps) {
  const [draft, setDraft] = useState(filter);
  return (
    <Form
      class="filters"
      aria-label="Filters"
      onSubmit={() => onChange({ ...draft, reason: draft.reason.trim().replaceAll(' ', '_') })}
    >
      {FIELDS.map(([name, title, example]) => (
        <TextField
          key={name}
          label={title}
          placeholder={example}
          text={draft[name]}
          onChange={(text) => setDraft({ ...draft, [name]: text })}
        />
      ))}
      <Flag label="Include settled" isOn={draft.all} onChange={(all) => setDraft({ ...draft, all })} />
      <button type="submit">Filter</button>
      <button type="button" onClick={() => onChange(NO_FILTER)}>
        Clear
      </button>
    </Form>
  );
}
