import { localText, momentText } from './calendar-text.ts';

/** A moment in UTC; the reader's own time comes with the pointer. */
export function Moment({ at, seconds = false }: { at: number; seconds?: boolean }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={`Your time: ${localText(at)}`}>
      {momentText(at, seconds)}
    </time>
  );
}
