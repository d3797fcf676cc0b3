interface ChoiceProps<Option extends string> {
  label: string;
  options: readonly Option[];
  chosen: Option;
  onChoose: (option: Option) => void;
}

/** Radio buttons for a few options, side by side. */
export function Choice<Option extends string>({ label, options, chosen, onChoose }: ChoiceProps<Option>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input type="radio" name={label} checked={option === chosen} onChange={() => onChoose(option)} />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  );
}
