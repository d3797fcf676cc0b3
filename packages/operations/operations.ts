import * as keys from './keys/index.ts';
import type { Operation } from './operation.ts';
import { showProjections } from './projections/index.ts';
import * as replays from './replays/index.ts';

/** All that operators can do, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  showProjections,
  replays.rollBack,
  replays.list,
  replays.start,
  replays.showOne,
  replays.pause,
  replays.resume,
  replays.cancel,
  replays.drop,
  replays.promote,
  replays.throttle,
  keys.listKeys,
  keys.createKey,
  keys.revokeKey,
];
