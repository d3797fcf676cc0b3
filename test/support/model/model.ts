import type { DriverProfile, TripProcessed } from '@milepost/domain/vocabulary';
import { daysAfter, startOf, utcDate } from './calendar.ts';
import type { Content } from './content.ts';
import { type Fate, Revisions } from './revisions.ts';
import { drivingFigures } from './summaries.ts';
import { detail, inOrder, isVisible, listEntry, servedTripId } from './trips.ts';

/**
 * A model of Milepost without a database, a log or a projection. It keeps all records and computes every result from
 * the current revisions. It shares no code with the code under test. `deliver` must be called with the records in the
 * order of their delivery.
 */
export class Model {
  readonly #revisions = new Revisions();
  /** Each driver's fleet and driver ids, in order of first appearance. */
  readonly #appeared = new Map<string, { fleetId: string; driverId: string }>();
  #current: Content[] | null = null;
  readonly #trips = new Map<string, TripProcessed[]>();
  readonly counts = { read: 0, stored: 0, duplicates: 0, dead_letters: 0 };

  /** Processes the next record. `null` stands for a record that the test knows to be broken. */
  deliver(text: string | null): Fate {
    const { fate, content } = this.#revisions.deliver(text);
    this.#current = null;
    this.#trips.clear();
    this.counts.read += 1;
    if (fate === 'duplicate') this.counts.duplicates += 1;
    else if (fate === 'conflict' || fate === 'broken') this.counts.dead_letters += 1;
    else this.counts.stored += 1;
    if (fate === 'effective' && content && content.kind !== 'trip.deleted') {
      const { fleet_id: fleetId, driver_id: driverId } = content;
      const key = JSON.stringify([fleetId, driverId]);
      if (!this.#appeared.has(key)) this.#appeared.set(key, { fleetId, driverId });
    }
    return fate;
  }

  /**
   * Removes a driver and the driver's current trips, and lists the pseudonym instead. The caller must not deliver
   * records that Milepost refuses because of the erasure.
   */
  erase(fleetId: string, driverId: string, pseudonym: string): void {
    this.#revisions.erase(fleetId, driverId);
    this.#current = null;
    this.#trips.clear();
    this.#appeared.set(JSON.stringify([fleetId, driverId]), { fleetId, driverId: pseudonym });
  }

  fleets(): string[] {
    return [...new Set([...this.#appeared.values()].map((driver) => driver.fleetId))];
  }

  driverIds(fleetId: string): string[] {
    return [...this.#appeared.values()].filter((driver) => driver.fleetId === fleetId).map(({ driverId }) => driverId);
  }

  /** All of the fleet's trips, including those that are not yet visible. */
  allTrips(fleetId: string): TripProcessed[] {
    const known = this.#trips.get(fleetId);
    if (known) return known;
    const trips = this.#contents().filter((content): content is TripProcessed => content.kind === 'trip.processed');
    const ordered = inOrder(trips.filter((trip) => trip.fleet_id === fleetId));
    this.#trips.set(fleetId, ordered);
    return ordered;
  }

  /** The ids of all trips that the fleet has ever had, including deleted ones. */
  everyTripId(fleetId: string): string[] {
    return this.#contents().flatMap((content) =>
      content.kind !== 'driver.profile' && content.fleet_id === fleetId ? [servedTripId(content)] : [],
    );
  }

  drivers(fleetId: string) {
    return this.driverIds(fleetId).map((driverId) => this.driver(fleetId, driverId));
  }

  driver(fleetId: string, driverId: string) {
    const profile = this.#contents().find(
      (content): content is DriverProfile =>
        content.kind === 'driver.profile' && content.fleet_id === fleetId && content.driver_id === driverId,
    );
    const dates = this.#tripsOf(fleetId, driverId).map((trip) => utcDate(trip.trip_start_time));
    return {
      driver_id: driverId,
      first_name: profile?.first_name ?? null,
      last_name: profile?.last_name ?? null,
      email: profile?.email ?? null,
      alias: profile?.alias ?? null,
      first_travel_date: dates.at(0) ?? null,
      last_travel_date: dates.at(-1) ?? null,
    };
  }

  trips(fleetId: string, driverId: string, startDate: string, now: number) {
    return this.#tripsOf(fleetId, driverId)
      .filter((trip) => trip.trip_start_time >= startOf(startDate) && isVisible(trip, now))
      .map(listEntry);
  }

  tripsById(fleetId: string, tripId: string, now: number) {
    return this.#details(fleetId, now, (trip) => servedTripId(trip) === tripId);
  }

  tripsByTrackingId(fleetId: string, trackingId: string, now: number) {
    return this.#details(fleetId, now, (trip) => trip.tracking_id === trackingId);
  }

  daily(fleetId: string, driverId: string, date: string) {
    const driving_summary = { ...drivingFigures(this.#tripsOn(fleetId, driverId, date)), date };
    return { driver_info: this.driver(fleetId, driverId), driving_summary };
  }

  /** A week's summary never includes `today` or later days. */
  weekly(fleetId: string, driverId: string, monday: string, today: string) {
    const dates = [0, 1, 2, 3, 4, 5, 6].map((day) => daysAfter(monday, day)).filter((date) => date < today);
    const days = dates.map((date) => ({ date, trips: this.#tripsOn(fleetId, driverId, date) }));
    return {
      driver_info: this.driver(fleetId, driverId),
      driving_summary: {
        ...drivingFigures(days.flatMap((day) => day.trips)),
        start_date: monday,
        end_date: daysAfter(monday, 6),
        daily_summary_breakdown: days
          .filter((day) => day.trips.length > 0)
          .map(({ date, trips }) => ({ ...drivingFigures(trips), date })),
      },
    };
  }

  /** The number of a fleet's rows in each read table. */
  rowCounts(fleetId: string): Record<string, number> {
    const trips = this.allTrips(fleetId);
    const days = new Set(trips.map((trip) => JSON.stringify([trip.driver_id, utcDate(trip.trip_start_time)])));
    return {
      drivers: this.driverIds(fleetId).length,
      trips: trips.length,
      daily_rollups: days.size,
      weekly_rollups: days.size,
    };
  }

  #contents(): Content[] {
    this.#current ??= this.#revisions.current();
    return this.#current;
  }

  #tripsOf(fleetId: string, driverId: string): TripProcessed[] {
    return this.allTrips(fleetId).filter((trip) => trip.driver_id === driverId);
  }

  #tripsOn(fleetId: string, driverId: string, date: string): TripProcessed[] {
    return this.#tripsOf(fleetId, driverId).filter((trip) => utcDate(trip.trip_start_time) === date);
  }

  #details(fleetId: string, now: number, matches: (trip: TripProcessed) => boolean) {
    return this.allTrips(fleetId)
      .filter((trip) => matches(trip) && isVisible(trip, now))
      .map(detail);
  }
}
