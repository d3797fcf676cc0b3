import type { ListedReplay as Listed, ReplayResource } from '@milepost/operations/replay-schemas';
import type { Static } from 'typebox';
import type { Json } from '../client/client.ts';

/** A replay as returned by the operation. */
export type ReplayView = Json<Static<typeof ReplayResource>>;
export type Verification = NonNullable<ReplayView['verification']>;
export type VerificationSummary = NonNullable<ListedReplay['verification']>;
export type TableVerification = Verification['tables'][number];

/** A replay in a list, with only a summary of its verification. */
export type ListedReplay = Json<Static<typeof Listed>>;

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

/** Returns a replay as JSON for programs. The fields that scripts need most come first. */
export function viewJson(view: ListedReplay): object {
  return { ...Object.fromEntries(FIRST.map((name) => [name, view[name]])), ...view };
}
