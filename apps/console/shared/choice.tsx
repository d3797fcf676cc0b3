import type { Signal } from '@preact/signals';

interface ChoiceProps<Option extends string> {
  label: string;
  options: readonly Option[];
  chosen: Signal<Option>;
}

/** Radio buttons for a few options, side by side. */
export function Choice<Option extends string>({ label, options, chosen }: ChoiceProps<Option>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={label}
            checked={chosen.value === option}
            onChange={() => {
              chosen.value = option;
            }}
          />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  );
}
