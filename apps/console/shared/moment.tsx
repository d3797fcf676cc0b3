import { isoText, localText, momentText } from './calendar-text.ts';

/** A moment in UTC. Its tooltip shows the reader's own time. */
export function Moment({ at, seconds = false }: { at: number; seconds?: boolean }) {
  const iso = isoText(at);
  // The attribute of <time> requires a year from 0001 to 9999. Without the attribute, the text would have to be a valid
  // date.
  if (iso === null) return <span>{momentText(at, seconds)}</span>;
  return (
    <time dateTime={iso} title={`Your time: ${localText(at)}`}>
      {momentText(at, seconds)}
    </time>
  );
}
