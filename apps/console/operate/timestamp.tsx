import { NONE } from '../shared/format.ts';
import { Moment } from '../shared/moment.tsx';

/** A timestamp from the API (ISO 8601); a dash for null. */
export function Timestamp({ time }: { time: string | null }) {
  return time === null ? NONE : <Moment at={Date.parse(time)} seconds />;
}
