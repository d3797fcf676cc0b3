import type { ComponentChildren, PartialInputHTMLAttributes } from 'preact';

type Attribute =
  | ('class' | 'required' | 'disabled' | 'autocomplete' | 'spellcheck' | 'placeholder' | 'maxLength' | 'inputMode')
  | ('min' | 'max' | 'step' | 'aria-invalid');

interface TextFieldProps extends Pick<PartialInputHTMLAttributes<HTMLInputElement>, Attribute> {
  label: ComponentChildren;
  text: string;
  onChange: (text: string) => void;
  type?: 'text' | 'date' | 'number' | 'search';
  /** The id of the list of suggestions. */
  list?: string;
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
