import { TextField } from '../../shared/text-field.tsx';
import { parseThrottle } from './throttle.ts';

/** The field for a replay's throttle. */
export function ThrottleField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <TextField
      label="Throttle: auto, off, or trips per second"
      text={text}
      onChange={onChange}
      aria-invalid={parseThrottle(text) === null}
    />
  );
}
