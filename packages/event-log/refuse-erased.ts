import { tripId } from '@milepost/domain/trip-id';
import type { Transaction } from '@milepost/postgres';
import type { Names } from './names-in.ts';
import type { SourceRecord } from './prepare.ts';
import { profileSubject, type Refusal, type StoredEventDraft } from './prepare.ts';
import { findErased, listErasedFleets } from './sql/find-erased.ts';

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

function subjectsOfDraft({ subject, content }: StoredEventDraft): string[] {
  return content.kind === 'trip.processed'
    ? [subject, profileSubject(content.trip.fleet_id, content.trip.driver_id)]
    : [subject];
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
