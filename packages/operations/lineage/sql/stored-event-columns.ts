/** The columns of a `StoredEventRow`, of `event` from `EVENT_WITH_SOURCE`. */
export const EVENT_COLUMNS = `event.position, event.kind, event.fleet_id, event.driver_id,
  replace(event.trip_id::text, '-', '') AS trip_id, event.source_trip_id, event.trip_start_time, event.trip_end_time,
  event.revision, event.stored_at, source.topic, source.partition, event.source_offset AS "offset", event.effective,
  event.supersedes, successor.position AS superseded_by`;

/** A stored event with where it came from and what took its place: at most one, as the log forbids forks. */
export const EVENT_WITH_SOURCE = `log.stored_event event JOIN log.source source USING (source_id)
  LEFT JOIN log.stored_event successor ON successor.supersedes = event.position`;
