import { query, statement } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { columnsOf, Named, Text, WholeNumber } from '../language/schemas.ts';

const ListedLane = Named('ListedLane', {
  lane: WholeNumber('The number of the lane.', 0),
  schema: Text("The lane's schema.", 'milepost'),
  fleets: WholeNumber('The number of fleets placed in the lane.', 12),
});

const COUNT_FLEETS = statement('count-fleets-of-lanes', columnsOf(ListedLane))`
  SELECT lane, schema, (SELECT count(*) FROM fleet WHERE fleet.lane = lane.lane) AS fleets FROM lane ORDER BY lane`;

export const listLanes = operation({
  name: 'lanes.list',
  path: '/lanes',
  summary: 'List lanes',
  description:
    "The lanes and the number of fleets in each. A path with the prefix `/lanes/{lane}` uses that lane. Without the prefix, a path with a fleet uses the fleet's lane, and other paths use lane 0. The status and retention cover all lanes.",
  input: Type.Object({}),
  shared: true,
  answer: Type.Object({ lanes: Type.Array(ListedLane, { description: 'The lanes, by number.' }) }),
  async run({ directory }) {
    return { answer: { lanes: await query(directory, COUNT_FLEETS) } };
  },
});

export const operations = [listLanes];
