/** SQL of the profile of `driver` (its alias in the query around it) that is the newest at position `asOf`: one row or none. */
export function profileAsOf(driver: string, asOf: string): string {
  return `SELECT * FROM log.stored_event event
    WHERE event.kind = 3 AND event.fleet_id = ${driver}.fleet_id AND event.driver_id = ${driver}.driver_id
      AND event.position <= ${asOf}
    ORDER BY event.revision DESC LIMIT 1`;
}
