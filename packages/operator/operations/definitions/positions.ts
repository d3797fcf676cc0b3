import { STORED_EVENT_KINDS } from '@milepost/domain/vocabulary';
import { query, ROLES, statement } from '@milepost/postgres';
import * as engine from '@milepost/replay';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { columnsOf, Id, Moment, Named, nullable, Reason, Text, WholeNumber, YesNo } from '../language/schemas.ts';

const SetAsideEvent = Named('SetAsideEvent', {
  position: WholeNumber('The position of the stored event.', 4711),
  kind: Text('`trip.processed`, `trip.deleted`, `driver.profile` or `driver.erased`.', 'trip.processed'),
  fleet_id: Text('The id of the fleet.', 'sunrise-delivery'),
  trip_id: nullable(Text('The id of the trip, as in API responses.', '2f5e76a3ae0e809f384603a8ee6cee59')),
  set_aside_at: Moment('The time at which the stored event was set aside.'),
  reason: Text("The operator's reason.", 'trips 2 cannot render it; fixed in the next release'),
});

const KINDS = Object.entries(STORED_EVENT_KINDS).map(([name, kind]) => `WHEN ${kind} THEN '${name}'`);

const LIST_SET_ASIDE = statement('list-set-aside', columnsOf(SetAsideEvent))`
  SELECT position, CASE kind ${KINDS.join(' ')} END AS kind, fleet_id, replace(trip_id::text, '-', '') AS trip_id,
    set_aside_at, reason
  FROM set_aside JOIN stored_event USING (position) ORDER BY position`;

export const listSetAside = operation({
  name: 'positions.list',
  path: '/positions/set-aside',
  summary: 'List the stored events that are set aside',
  description: 'The stored events of the lane that are set aside, by position.',
  input: Type.Object({}),
  answer: Type.Object({ positions: Type.Array(SetAsideEvent, { description: 'The stored events.' }) }),
  async run({ pool }) {
    return { answer: { positions: await query(pool(ROLES.operator), LIST_SET_ASIDE) } };
  },
});

const PositionChange = Type.Object({
  position: WholeNumber('The position of the stored event.', 4711),
  needs_replay: YesNo(
    'Whether a live read table is already past the position, so that the change becomes visible only after a replay of all projections.',
  ),
});

/**
 * Sets a position aside or puts it back by running `work`. Throws Refusal when the current state does not allow the
 * change.
 */
async function change(position: number, work: () => Promise<{ needs_replay: boolean }>) {
  try {
    const { needs_replay } = await work();
    return { answer: { position, needs_replay }, ...(needs_replay ? { detail: 'needs a replay' } : {}) };
  } catch (error) {
    if (!(error instanceof engine.PositionRefusedError)) throw error;
    throw new Refusal({ code: 'position_refused', position, reason: error.refusal });
  }
}

export const setAside = operation({
  name: 'positions.set-aside',
  path: '/positions/:position/set-aside',
  summary: 'Set a stored event aside',
  description:
    'Lets the projector continue past a stored event that a projection cannot apply. The log keeps the stored event unchanged. The read tables, replays and audits treat it like an erased one: its trip, or the names in its profile, are missing until a higher revision arrives or the stored event is put back. The projector continues within a second. A deletion has no content to set aside, so it stays in effect.',
  input: Type.Object({
    position: Id('The position shown in the status.'),
    reason: Reason('a reason of 1 to 1,000 characters. It must not name a person.'),
  }),
  answer: PositionChange,
  change: 'recorded',
  refusals: ['position_refused'],
  async run({ pool }, { position, reason }) {
    return await change(position, async () => await engine.setAside(pool(ROLES.operator), position, reason));
  },
});

export const putBack = operation({
  name: 'positions.put-back',
  path: '/positions/:position/put-back',
  summary: 'Put a stored event back',
  description:
    'Puts back a stored event that was set aside, usually after a release that can apply it has been installed. If `needs_replay` is true, replay all projections: until the promotion, the read tables lack the stored event, and audits report this.',
  input: Type.Object({ position: Id('The position of a stored event that is set aside.') }),
  answer: PositionChange,
  change: 'recorded',
  refusals: ['position_refused'],
  async run({ pool }, { position }) {
    return await change(position, async () => await engine.putBack(pool(ROLES.operator), position));
  },
});

export const operations = [listSetAside, setAside, putBack];
