import { listOperations } from './audit-trail/index.ts';
import * as audits from './audits/index.ts';
import * as letters from './dead-letters/index.ts';
import { erase, previewErasure } from './erasure/index.ts';
import * as keys from './keys/index.ts';
import { driverDayTrace, tripTrace } from './lineage/index.ts';
import type { Operation } from './operation.ts';
import { listProjections } from './projections/list.ts';
import * as replays from './replays/index.ts';
import { runRetention } from './retention/run.ts';
import { acceptSource } from './sources/accept.ts';
import { showStatus } from './status/index.ts';

/** All that operators can do, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  showStatus,
  listProjections,
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
  audits.startAudit,
  audits.listAudits,
  audits.showAudit,
  letters.listDeadLetters,
  letters.showDeadLetter,
  letters.retry,
  letters.discard,
  acceptSource,
  tripTrace,
  driverDayTrace,
  previewErasure,
  erase,
  runRetention,
  keys.listKeys,
  keys.createKey,
  keys.revokeKey,
  listOperations,
];
