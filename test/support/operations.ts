import type { Operation } from '@milepost/operations/operation';
import type { Pool } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { newLane } from '@milepost/postgres/lanes/add-lane';
import type { LaneAccess } from '@milepost/postgres/lanes/role-pools';
import type { Static, TObject, TSchema } from 'typebox';

/** Runs an operation on one pool, in the pool's role. */
export async function runOperation<Input extends TObject, Answer extends TSchema>(
  { run }: Operation<Input, Answer>,
  pool: Pool,
  input: Static<Input>,
): Promise<Static<Answer>> {
  const firstLane: LaneAccess = { ...newLane('', FIRST_LANE), pool: () => pool };
  const lane = {
    pool: () => pool,
    lane: FIRST_LANE,
    lanes: async () => [firstLane],
    findLane: async () => firstLane,
  };
  const asked = { operator: 'test', announce: () => {}, askEndOffsets: null, keep: () => {} };
  return (await run({ ...asked, ...lane, directory: pool }, input)).answer;
}
