import type { ReplayList } from '@milepost/operations/replays/schemas';
import type * as replays from '@milepost/replay';
import type { Static } from 'typebox';
import type { Json } from '../operate/client.ts';

/** A replay as the operation shows it. */
export type ReplayView = Json<replays.ReplayView>;

/** A replay as lists have it: its verification may be in short. */
export type ListedReplay = Json<Static<typeof ReplayList>>['replays'][number];

const FIRST = [
  'id',
  'projection',
  'phase',
  'position',
  'target',
  'trips_per_second',
  'remaining_seconds',
  'throttle',
  'verification',
  'error',
] as const;

/** A replay for programs: the fields that scripts rely on first. */
export function viewJson(view: ListedReplay): object {
  return { ...Object.fromEntries(FIRST.map((name) => [name, view[name]])), ...view };
}
