import { NONE } from '../shared/format.ts';
import { Moment } from '../shared/moment.tsx';

/** A moment as the API has it; nothing where there is none. */
export function At({ time }: { time: string | null }) {
  return time === null ? NONE : <Moment at={Date.parse(time)} seconds />;
}
