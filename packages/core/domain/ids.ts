/** A fleet id. As a JSON Schema pattern, its source means the same. */
export const FLEET_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A `trip_id`. PostgreSQL's `uuid` type would also accept uppercase letters and hyphens. */
export const TRIP_ID = /^[0-9a-f]{32}$/;

/** Returns whether a source is a Kafka topic. Such a name cannot contain a colon, and all other sources' names do. */
export function isTopic(source: string): boolean {
  return !source.includes(':');
}

/** SQL conditions on the column `topic`, for the sources that are Kafka topics and for those that are files. */
export const ONLY_TOPICS = "topic NOT LIKE '%:%'";
export const ONLY_FILES = "topic LIKE 'file:%'";

/** Returns the name of a file's source. */
export function fileSource(file: string): string {
  return `file:${file}`;
}

/** Returns the name of the source of the stored events that a fleet's move copies from another lane. */
export function moveSource(fromLane: number, fleetId: string): string {
  return `move:${fromLane}:${fleetId}`;
}

/** The name of the source of erasures, whose counts add up like those of other sources. */
export const ERASURE_SOURCE = 'operator:erasures';
