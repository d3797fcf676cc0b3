import { asCommand } from '@milepost/operations/mention';
import type { Job, Operation } from '@milepost/operations/operation';
import type { Pool } from '@milepost/postgres';
import type { Static, TObject, TSchema } from 'typebox';

/** Runs an operation by itself, in whatever role the pool acts. */
export async function runOperation<Input extends TObject, Answer extends TSchema>(
  { run }: Operation<Input, Answer>,
  pool: Pool,
  input: Static<Input>,
): Promise<Static<Answer>> {
  const asked = { operator: 'test', enqueue: async (job: Job) => job, askEndOffsets: null, keep: () => {} };
  return (await run({ ...asked, pool: () => pool, mention: asCommand }, input)).answer;
}
