import { parseThrottle } from './throttle.ts';

/** The field for the throttle of a replay. */
export function ThrottleField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <label>
      Throttle: auto, off, or trips per second
      <input
        type="text"
        value={text}
        aria-invalid={parseThrottle(text) === null}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
