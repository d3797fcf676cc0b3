import type { Refusal } from '@milepost/domain/records';
import { tripId } from '@milepost/domain/trip-id';
import { statement, type Transaction } from '@milepost/postgres';
import type { Names } from './names.ts';
import { profileSubject, type SourceRecord, type StoredEventDraft } from './prepare.ts';

/** The maximum number of ids looked up for a batch of damaged records. PostgreSQL takes up to half a second. */
const MAX_LOOKED_UP_NAMES = 50_000;

/** The refusal that replaces a record about an erased driver. */
export const ERASED: Refusal = {
  reason: 'driver_erased',
  field: null,
  message: 'The record is about a driver who has been erased; none of its content is kept.',
};
const UNCLEAR: Refusal = {
  reason: 'driver_erased',
  field: null,
  message: 'The record breaks a rule and is too long to check for an erased driver; its content is not kept.',
};

function isCompressedBatch({ reason }: Refusal): boolean {
  return reason === 'batch_too_large' || reason === 'batch_unreadable';
}

function subjectsOfDraft({ subject, record }: StoredEventDraft): string[] {
  return record.kind === 'trip.processed' ? [subject, profileSubject(record.fleet_id, record.driver_id)] : [subject];
}

/**
 * A trip belongs to the driver of its highest revision, and an erasure sets `erased` in this revision, even if it is a
 * deletion. Therefore, if a correction assigned a trip to another driver before the erasure, records of the trip are
 * still accepted. If the trip's stored events are not in the lane, `erased_trip` lists the trip. The hashes are
 * computed outside the condition, once for each driver of a fleet with erasures. Inside it, PostgreSQL would compute
 * them again for each erasure.
 */
const FIND_ERASED = statement('find-erased', { subject: 'text' })`
  WITH driver AS MATERIALIZED (
    SELECT subject, split_part(subject, '/', 1) AS fleet_id, substr(subject, strpos(subject, '/') + 1) AS driver_id
    FROM unnest($1::text[]) AS subject
  ), hashed AS MATERIALIZED (
    SELECT *, driver_hash(fleet_id, driver_id) AS hash FROM driver
    WHERE EXISTS (SELECT FROM erasure WHERE erasure.fleet_id = driver.fleet_id)
  )
  SELECT subject FROM hashed
  WHERE EXISTS (SELECT FROM erasure WHERE erasure.driver_hash = hashed.hash)
    OR EXISTS (SELECT FROM erasure
      WHERE erasure.fleet_id = hashed.fleet_id AND erasure.pseudonym = hashed.driver_id)
  UNION ALL
  SELECT subject FROM unnest($2::text[]) AS subject
  WHERE (SELECT event.erased FROM stored_event event
    WHERE event.trip_id = subject::uuid ORDER BY event.revision DESC LIMIT 1) IS NOT NULL
    OR EXISTS (SELECT FROM erased_trip WHERE erased_trip.trip_id = subject::uuid)`;

/**
 * Returns the `subjects` that name an erased driver or an erased driver's trip.
 *
 * @param subjects drivers as `fleet_id/driver_id`, trips as 32 hex digits
 */
async function findErased(transaction: Transaction, subjects: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const { drivers = [], trips = [] } = Object.groupBy(subjects, (subject) =>
    subject.includes('/') ? 'drivers' : 'trips',
  );
  const rows = await transaction.rows(FIND_ERASED, [drivers, trips]);
  return new Set(rows.map(({ subject }) => subject));
}

const LIST_ERASED_FLEETS = statement('list-erased-fleets', { fleet_id: 'text' })`
  SELECT DISTINCT fleet_id FROM erasure`;

/**
 * The ids in the bytes of a group of records. All records with the same fleets form a group, because they have most of
 * their strings in common.
 */
interface Named {
  fleets: readonly string[];
  drivers: Set<string>;
  trips: Set<string>;
}

/** The asterisk is unambiguous, because fleet ids cannot contain it. */
const keyOf = ({ fleets }: Names): string => (fleets === 'any' ? '*' : fleets.join('/'));

/** Collects the ids in the bytes of a batch's records, grouped by their fleets. */
function collectNames(names: readonly Names[], erasedFleets: readonly string[]): Map<string, Named> {
  const all = new Map<string, Named>();
  for (const each of names) {
    const fleets = each.fleets === 'any' ? erasedFleets : each.fleets;
    const named = all.get(keyOf(each)) ?? { fleets, drivers: new Set(), trips: new Set() };
    all.set(keyOf(each), named);
    for (const driver of each.drivers) named.drivers.add(driver);
    for (const trip of each.trips) named.trips.add(trip);
  }
  return all;
}

const driversOf = ({ fleets }: Named, driver: string) => fleets.map((fleet) => profileSubject(fleet, driver));
const tripsOf = ({ fleets }: Named, trip: string) => fleets.map((fleet) => tripId(fleet, trip));

function subjectsOf(named: Named): string[] {
  const drivers = Array.from(named.drivers, (driver) => driversOf(named, driver));
  return [...drivers, ...Array.from(named.trips, (trip) => tripsOf(named, trip))].flat();
}

/**
 * Refuses the records about erased drivers or their trips, and drops their bytes. Returns all other records unchanged,
 * with one exception: if the bytes of a storable record about another driver contain an erased driver's id, the bytes
 * are dropped. The caller must hold the lock on the head, because otherwise an erasure could commit before the records
 * are stored. The ids in the bytes were collected earlier, so that the lock is held only briefly.
 */
export async function refuseErased<Kept extends SourceRecord>(
  transaction: Transaction,
  records: readonly Kept[],
): Promise<Kept[]> {
  const names = records.flatMap(({ prepared: { named } }) => (named && named !== 'unclear' ? [named] : []));
  const isOfAny = names.some(({ fleets }) => fleets === 'any');
  const erasedFleets = isOfAny ? (await transaction.rows(LIST_ERASED_FLEETS)).map((row) => row.fleet_id) : [];
  const all = collectNames(names, erasedFleets);
  const lookups = all
    .values()
    .reduce((sum, { fleets, drivers, trips }) => sum + fleets.length * (drivers.size + trips.size), 0);
  const isTooMuch = lookups > MAX_LOOKED_UP_NAMES;
  const own = records.map(({ prepared }) => (prepared.storable ? subjectsOfDraft(prepared.draft) : []));
  const groups = isTooMuch ? [] : [...all.values()];
  const erased = await findErased(transaction, new Set([...own.flat(), ...groups.flatMap(subjectsOf)]));
  const isErased = (subject: string) => erased.has(subject);
  // Keeps only the erased ids. If there are too many ids to look up, keeps all ids, because any of them may be erased.
  for (const named of groups) {
    named.drivers = new Set(named.drivers.values().filter((driver) => driversOf(named, driver).some(isErased)));
    named.trips = new Set(named.trips.values().filter((trip) => tripsOf(named, trip).some(isErased)));
  }
  const isNamed = (each: Names) => {
    const named = all.get(keyOf(each));
    return (
      each.drivers.some((driver) => named?.drivers.has(driver)) || each.trips.some((trip) => named?.trips.has(trip))
    );
  };
  return records.map((record, index): Kept => {
    const { prepared } = record;
    const { named } = prepared;
    const refused = (refusal: Refusal): Kept => {
      return { ...record, raw: null, prepared: { storable: false, refusal, named: 'unclear' } };
    };
    if (own[index]?.some(isErased)) return refused(ERASED);
    if (!named || (named !== 'unclear' && !isNamed(named))) return record;
    // Compressed records may be about any driver. The dead letter keeps its reason, because it is still true that the
    // batch's records were not read.
    if (prepared.storable || isCompressedBatch(prepared.refusal)) return { ...record, raw: null };
    return refused(named === 'unclear' || isTooMuch ? UNCLEAR : ERASED);
  });
}
