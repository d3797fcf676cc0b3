import type { Signal } from '@preact/signals';

/** A choice of few words, side by side. */
export function Choice<Word extends string>({
  label,
  words,
  chosen,
}: {
  label: string;
  words: readonly Word[];
  chosen: Signal<Word>;
}) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {words.map((word) => (
        <label key={word}>
          <input type="radio" name={label} checked={chosen.value === word} onChange={() => (chosen.value = word)} />
          <span>{word}</span>
        </label>
      ))}
    </fieldset>
  );
}
