import { tripId } from '@milepost/domain/trip-id';
import { statement, type Transaction, text } from '@milepost/postgres';
import type { Names } from './names-in.ts';
import { profileSubject, type Refusal, type SourceRecord, type StoredEventDraft } from './prepare.ts';

/** Names that are looked up for a batch of broken records: PostgreSQL takes up to half a second for as many. */
const MOST_LOOKED_UP = 50_000;

/** What stands in the place of a record about an erased driver. */
export const ERASED: Refusal = {
  reason: 'driver_erased',
  field: null,
  message: 'The record is about a driver who was erased; nothing of it is kept.',
};
const UNCLEAR: Refusal = {
  reason: 'driver_erased',
  field: null,
  message:
    'The record breaks a rule, and is too long to tell whether it is about a driver who was erased; nothing of it is kept.',
};

function subjectsOfDraft({ subject, record }: StoredEventDraft): string[] {
  return record.kind === 'trip.processed' ? [subject, profileSubject(record.fleet_id, record.driver_id)] : [subject];
}

/**
 * A trip belongs to the driver whom its highest revision names, and a deletion at the end is marked as the trip is; so a
 * trip that was corrected to another driver before the erasure goes on. Each driver is hashed once, and only those of fleets
 * with erasures: within the condition it would be once for each erasure there ever was.
 */
const FIND_ERASED = statement('find-erased', { subject: text })`
  WITH driver AS MATERIALIZED (
    SELECT subject, split_part(subject, '/', 1) AS fleet_id, substr(subject, strpos(subject, '/') + 1) AS driver_id
    FROM unnest($1::text[]) AS subject
  ), hashed AS MATERIALIZED (
    SELECT *, log.driver_hash(fleet_id, driver_id) AS hash FROM driver
    WHERE EXISTS (SELECT FROM log.erasure WHERE erasure.fleet_id = driver.fleet_id)
  )
  SELECT subject FROM hashed
  WHERE EXISTS (SELECT FROM log.erasure WHERE erasure.driver_hash = hashed.hash)
    OR EXISTS (SELECT FROM log.erasure
      WHERE erasure.fleet_id = hashed.fleet_id AND erasure.pseudonym = hashed.driver_id)
  UNION ALL
  SELECT subject FROM unnest($2::text[]) AS subject
  WHERE (SELECT event.erased FROM log.stored_event event
    WHERE event.trip_id = subject::uuid ORDER BY event.revision DESC LIMIT 1) IS NOT NULL`;

/**
 * Those among `subjects` that are an erased driver, or a trip of one.
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

const LIST_ERASED_FLEETS = statement('list-erased-fleets', { fleet_id: text })`
  SELECT DISTINCT fleet_id FROM log.erasure`;

/** The fleets of which drivers were erased. */
async function listErasedFleets(transaction: Transaction): Promise<string[]> {
  const rows = await transaction.rows(LIST_ERASED_FLEETS);
  return rows.map((row) => row.fleet_id);
}

/** What the bytes of records of the same fleets name. Most of their strings they have in common. */
interface Named {
  fleets: readonly string[];
  drivers: Set<string>;
  trips: Set<string>;
}

/** No fleet has a star in its id. */
const keyOf = ({ fleets }: Names): string => (fleets === 'any' ? '*' : fleets.join('/'));

/** All that the bytes of a batch's records name, by their fleets. */
function gatherNames(names: readonly Names[], erasedFleets: readonly string[]): Map<string, Named> {
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
 * Refuses, without their bytes, the records about drivers who were erased or about a trip of theirs; all others are
 * passed on as they are. One that is stored as somebody else's, while its bytes name an erased driver, is passed on
 * without them. Must run under the lock on the head, or an erasure could come between this and the storing; so whom the
 * bytes name was found before.
 */
export async function refuseErased(
  transaction: Transaction,
  records: readonly SourceRecord[],
): Promise<SourceRecord[]> {
  const names = records.flatMap(({ prepared: { named } }) => (named && named !== 'unclear' ? [named] : []));
  const isOfAny = names.some(({ fleets }) => fleets === 'any');
  const all = gatherNames(names, isOfAny ? await listErasedFleets(transaction) : []);
  const looked = all
    .values()
    .reduce((sum, { fleets, drivers, trips }) => sum + fleets.length * (drivers.size + trips.size), 0);
  const isTooMuch = looked > MOST_LOOKED_UP;
  const own = records.map(({ prepared }) => (prepared.storable ? subjectsOfDraft(prepared.draft) : []));
  const groups = isTooMuch ? [] : [...all.values()];
  const erased = await findErased(transaction, new Set([...own.flat(), ...groups.flatMap(subjectsOf)]));
  const isErased = (subject: string) => erased.has(subject);
  // Leaves the erased ones. Where there were too many to look up, all are left: any of them may be one.
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
  return records.map((record, index): SourceRecord => {
    const { storable, named } = record.prepared;
    const refused = (refusal: Refusal): SourceRecord => {
      return { ...record, raw: null, prepared: { storable: false, refusal, named: 'unclear' } };
    };
    if (own[index]?.some(isErased)) return refused(ERASED);
    if (!named || (named !== 'unclear' && !isNamed(named))) return record;
    if (storable) return { ...record, raw: null };
    return refused(named === 'unclear' || isTooMuch ? UNCLEAR : ERASED);
  });
}
