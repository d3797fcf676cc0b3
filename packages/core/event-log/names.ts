import { hash } from 'node:crypto';

/** The ids in a record, which are the fleets, drivers and trips that the record may be about. */
export interface Names extends NamedIds {
  /** `any` when the bytes do not show which fleets the record may be about. */
  fleets: readonly string[] | 'any';
  /** The hashes of the drivers and trips (`driverNameHash` and `tripNameHash`), which are stored with a dead letter. */
  hashes: readonly string[];
}

export interface NamedIds {
  drivers: readonly string[];
  /** The ids that the pipeline gives to trips. */
  trips: readonly string[];
}

/** Returns the first 64 bits of the SHA-256 hash as a PostgreSQL bigint. */
function nameHash(kind: 'driver' | 'trip', id: string): string {
  return hash('sha256', `${kind}/${id}`, 'buffer').readBigInt64BE().toString();
}

/** Returns the hash by which a driver's id is looked up in dead letters. */
export const driverNameHash = (driverId: string): string => nameHash('driver', driverId);

/** Returns the hash by which a `source_trip_id` is looked up in dead letters. */
export const tripNameHash = (sourceTripId: string): string => nameHash('trip', sourceTripId);

/** Computes the hashes in advance, because they are too costly to compute while the head is locked. */
export function withHashes(fleets: Names['fleets'], { drivers, trips }: NamedIds): Names {
  return { fleets, drivers, trips, hashes: [...drivers.map(driverNameHash), ...trips.map(tripNameHash)] };
}

/** Returns the ids in a record's fields. */
export function namesOf(record: { fleet_id: string; driver_id?: string; source_trip_id?: string }): Names {
  const listed = (id: string | undefined) => (id === undefined ? [] : [id]);
  return withHashes([record.fleet_id], { drivers: listed(record.driver_id), trips: listed(record.source_trip_id) });
}
