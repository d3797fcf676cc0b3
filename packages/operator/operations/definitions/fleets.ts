import { query, statement } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { Beginning, columnsOf, isText, Moment, Named, nullable, Text, WholeNumber } from '../language/schemas.ts';

/** The maximum number of fleets in a list. To find a fleet that is not in the list, the user types a longer prefix. */
const MAX_FLEETS = 1_000;

const PlacedFleet = Named('PlacedFleet', {
  fleet_id: Text('The id of the fleet.', 'sunrise-delivery'),
  lane: WholeNumber("The lane that stores the fleet's records.", 0),
  placed_at: Moment('The time at which the fleet was placed in the lane.'),
  moving_to: nullable(WholeNumber('The lane to which the fleet is being moved; null when it is not being moved.', 2)),
  copied_percent: nullable(
    WholeNumber('The percentage of the log in `lane` that the move has read; null when there is no move.', 40),
  ),
});

const LIST_PLACED_FLEETS = statement('list-placed-fleets', columnsOf(PlacedFleet))`
  SELECT fleet_id, lane, placed_at, to_lane AS moving_to,
    CASE WHEN fleet_move_id IS NOT NULL THEN 100 * position / greatest(head_position, 1) END AS copied_percent
  FROM fleet LEFT JOIN (SELECT * FROM fleet_move WHERE ended_at IS NULL) move USING (fleet_id)
  WHERE starts_with(fleet_id, $1) ORDER BY fleet_id LIMIT ${MAX_FLEETS}`;

/** Exported for tests. */
export const listPlacedFleets = operation({
  name: 'fleets.list',
  arguments: [],
  path: '/fleets/lanes',
  summary: 'List fleets with their lanes',
  shared: true,
  description: `The fleets in the directory and their lanes, in alphabetical order; at most ${MAX_FLEETS} fleets. A fleet is placed when its first record is stored.`,
  input: Type.Object({ beginning: Beginning }),
  answer: Type.Object({ fleets: Type.Array(PlacedFleet, { description: 'The fleets.' }) }),
  async run({ directory }, { beginning = '' }) {
    return { answer: { fleets: isText(beginning) ? await query(directory, LIST_PLACED_FLEETS, [beginning]) : [] } };
  },
});

export const operations = [listPlacedFleets];
