import type { Statement, Transaction } from '@milepost/postgres';
import type { Replay } from '../replay.ts';
import type { Verification } from '../verification.ts';
import { holdReplay } from './lease.ts';

const STORE_VERIFICATION: Statement = {
  name: 'store-replay-verification',
  text: 'UPDATE projection.replay SET verification = $2 WHERE replay_id = $1 RETURNING promote, accept_differences',
};

/**
 * Keeps the report of a verification, and holds the replay until the transaction ends.
 *
 * @returns what the operator wants by now: it may have changed since the replay was read
 */
export async function storeVerification(
  transaction: Transaction,
  replay: Replay,
  epoch: number,
  verification: Verification,
): Promise<Pick<Replay, 'promote' | 'accept_differences'>> {
  await holdReplay(transaction, replay, epoch);
  const values = [replay.id, JSON.stringify(verification)];
  const [wanted] = await transaction.rows<Pick<Replay, 'promote' | 'accept_differences'>>(STORE_VERIFICATION, values);
  return wanted ?? replay;
}
