import type { Statement, Transaction } from '@milepost/postgres';
import type { KnownRevision } from '../decide.ts';
import { profileSubject, type StoredEventDraft } from '../prepare.ts';

/**
 * LATERAL and OFFSET 0: left to choose, the planner reads the whole log for each append until the server has gathered
 * statistics, since a connection keeps the plan it made while the log was next to empty.
 */
const FIND_REVISIONS: Statement = {
  name: 'find-revisions',
  text: `SELECT replace(wanted.trip_id::text, '-', '') AS trip_id, stored.*
         FROM unnest($1::uuid[]) AS wanted (trip_id)
         CROSS JOIN LATERAL (
           SELECT fleet_id, driver_id, revision, encode(content_hash, 'hex') AS content_hash, position, effective
           FROM log.stored_event event WHERE event.trip_id = wanted.trip_id OFFSET 0) stored
         UNION ALL
         SELECT NULL, stored.*
         FROM unnest($2::text[], $3::text[]) AS wanted (fleet_id, driver_id)
         CROSS JOIN LATERAL (
           SELECT fleet_id, driver_id, revision, encode(content_hash, 'hex'), position, effective
           FROM log.stored_event event
           WHERE event.kind = 3 AND event.fleet_id = wanted.fleet_id AND event.driver_id = wanted.driver_id OFFSET 0) stored`,
};

interface Row {
  trip_id: string | null;
  fleet_id: string;
  driver_id: string;
  revision: number;
  content_hash: string;
  position: number;
  effective: boolean;
}

/** Every stored revision of the trips and driver profiles among `drafts`. */
export async function findRevisions(
  transaction: Transaction,
  drafts: readonly StoredEventDraft[],
): Promise<KnownRevision[]> {
  const tripIds = new Set<string>();
  const profiles = new Map<string, { fleetId: string; driverId: string }>();
  for (const { subject, content } of drafts) {
    if (content.kind === 'driver.profile') {
      profiles.set(subject, { fleetId: content.profile.fleet_id, driverId: content.profile.driver_id });
    } else {
      tripIds.add(subject);
    }
  }
  const wanted = [...profiles.values()];
  const rows = await transaction.rows<Row>(FIND_REVISIONS, [
    [...tripIds],
    wanted.map((profile) => profile.fleetId),
    wanted.map((profile) => profile.driverId),
  ]);
  return rows.map((row) => ({
    subject: row.trip_id ?? profileSubject(row.fleet_id, row.driver_id),
    revision: row.revision,
    contentHash: row.content_hash,
    position: row.position,
    effective: row.effective,
  }));
}
