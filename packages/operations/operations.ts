import { createKey } from './keys/create.ts';
import { listKeys } from './keys/list.ts';
import { revokeKey } from './keys/revoke.ts';
import type { Operation } from './operation.ts';
import { cancel, drop, pause, resume } from './replays/control.ts';
import { list } from './replays/list.ts';
import { promote } from './replays/promote.ts';
import { rollBack } from './replays/roll-back.ts';
import { showOne } from './replays/show.ts';
import { start } from './replays/start.ts';
import { throttle } from './replays/throttle.ts';

/** All that operators can do, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  rollBack,
  list,
  start,
  showOne,
  pause,
  resume,
  cancel,
  drop,
  promote,
  throttle,
  listKeys,
  createKey,
  revokeKey,
];
