import type { Replay } from '../api.ts';

/** Parses a throttle. Null for an invalid string. */
export function parseThrottle(text: string): Replay['throttle'] | null {
  const word = text.trim();
  if (word === 'auto' || word === 'off') return word;
  return /^[1-9][0-9]{0,8}$/.test(word) ? Number(word) : null;
}

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
