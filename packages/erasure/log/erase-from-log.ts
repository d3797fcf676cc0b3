import { advanceHead, lockHead } from '@milepost/event-log';
import type { Transaction } from '@milepost/postgres';
import { encodeTrailPath } from '@milepost/trail-codec';
import type { ErasedDriver } from './erased-driver.ts';
import { findLettersAbout, type LettersAbout } from './letters-about.ts';
import { appendErasure } from './sql/append-erasure.ts';
import { lockLetters, redactLetters } from './sql/dead-letters.ts';
import { listSourceTripIds } from './sql/list-source-trip-ids.ts';
import { redactStoredEvents } from './sql/redact-stored-events.ts';

/** The dead letters that go with a driver, locked. Those after `last` have not been looked at. */
export interface HeldLetters extends LettersAbout {
  last: number;
}

export interface ErasedFromLog {
  /** Of the stored event that says so. */
  position: number;
  storedEvents: number;
  deadLetters: number;
}

/**
 * Finds the driver's dead letters and locks them: before the lock on the head, as whoever retries a dead letter takes the
 * two in this order, and as it takes a look at every dead letter of the fleet, while which nobody could append.
 */
export async function holdLetters(
  transaction: Transaction,
  { fleetId, driverId }: Pick<ErasedDriver, 'fleetId' | 'driverId'>,
): Promise<HeldLetters> {
  const sourceTripIds = await listSourceTripIds(transaction, fleetId, driverId);
  const found = await findLettersAbout(transaction, { fleetId, driverId, sourceTripIds }, 0);
  await lockLetters(transaction, [...found.about, ...found.unclear]);
  return found;
}

/**
 * Takes the driver out of the log, and appends the stored event that says so. Holds the lock on the head from here to the
 * end of the transaction. Null when the log has nothing about the driver; nothing was changed then.
 *
 * @param transaction in the eraser's role
 * @param hash the driver's hash, by which records are refused from now on
 */
export async function eraseFromLog(
  transaction: Transaction,
  driver: ErasedDriver,
  { hash, reason, held }: { hash: Buffer; reason: string; held: HeldLetters },
): Promise<ErasedFromLog | null> {
  const { fleetId, driverId } = driver;
  const head = await lockHead(transaction);
  const sourceTripIds = await listSourceTripIds(transaction, fleetId, driverId);
  const late = await findLettersAbout(transaction, { fleetId, driverId, sourceTripIds }, held.last);
  const about = [...held.about, ...late.about];
  const storedEvents = await redactStoredEvents(transaction, driver, encodeTrailPath([]));
  if (storedEvents === 0 && about.length === 0) return null;
  const letters = [...about, ...held.unclear, ...late.unclear];
  await redactLetters(transaction, letters);
  const position = head.position + 1;
  await appendErasure(transaction, driver, hash, position, reason);
  await advanceHead(transaction, position);
  return { position, storedEvents, deadLetters: letters.length };
}
