import type { Operation } from '@milepost/operations/operation';
import * as operations from '@milepost/operations/run';
import type { Pool } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { RolePools } from '@milepost/postgres/lanes/role-pools';
import type { Static, TObject, TSchema } from 'typebox';

/** Runs an operation on one pool, in the pool's role. */
export async function runOperation<Input extends TObject, Answer extends TSchema>(
  operation: Operation<Input, Answer>,
  pool: Pool,
  input: Static<Input>,
): Promise<Static<Answer>> {
  const pools = new RolePools(pool, () => pool);
  const services = { pools, directory: pool, announce: () => {}, askEndOffsets: null };
  return (await operations.runOperation(operation, input, services, { operator: 'test', lane: FIRST_LANE })).answer;
}
