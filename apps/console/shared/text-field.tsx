import type { ComponentChildren } from 'preact';

interface TextFieldProps {
  label: ComponentChildren;
  text: string;
  onChange: (text: string) => void;
  type?: 'text' | 'date' | 'number' | 'search';
  class?: 'id';
  required?: boolean;
  disabled?: boolean;
  autocomplete?: 'off';
  spellcheck?: false;
  placeholder?: string;
  maxLength?: number;
  inputMode?: 'numeric';
  min?: number | string;
  max?: string;
  step?: number;
  /** The id of the list of suggestions. */
  list?: string;
  'aria-invalid'?: boolean;
}

/** A labelled field for text or, with a different `type`, for another value such as a date or a number. */
export function TextField({ label, text, onChange, type = 'text', ...attributes }: TextFieldProps) {
  return (
    <label>
      {label}
      <input {...attributes} type={type} value={text} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}

interface FlagProps {
  label: ComponentChildren;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** A labelled checkbox. */
export function Flag({ label, isOn, onChange }: FlagProps) {
  return (
    <label class="flag">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  );
}
