import { columns, type RowOf, statement, type Transaction } from '@milepost/postgres';
import { type AuditFault, faultOf } from '../report.ts';
import { nameStoredEvents } from '../stored-events.ts';

/** A live generation, with the first stored event that has not been applied to it. */
export type AuditedGeneration = RowOf<typeof AUDITED_GENERATIONS>;

/** Reads the live generations of the projections named in `$1`. */
export const AUDITED_GENERATIONS = statement('audited-generations', {
  projection: 'text',
  ...columns('number', 'generation', 'version', 'checkpoint'),
  cutoff: 'date?',
  failure: 'text?',
  ...columns('number?', 'failed_position', 'next_position'),
  /** How long the next stored event has been waiting. */
  waiting_seconds: 'number?',
})`
  SELECT projection, generation, version, checkpoint, cutoff, failed_position, failure, next.position AS next_position,
    extract(epoch FROM now() - next.stored_at)::float8 AS waiting_seconds
  FROM generation LEFT JOIN LATERAL (
    SELECT position, stored_at FROM stored_event WHERE position > checkpoint ORDER BY position LIMIT 1) next ON true
  WHERE live AND projection = ANY ($1) ORDER BY projection`;

async function checkProgress(
  transaction: Transaction,
  { projection, checkpoint, failure, next_position, waiting_seconds }: AuditedGeneration,
  stalledAfterSeconds: number,
): Promise<AuditFault[]> {
  if (next_position === null || waiting_seconds === null) return [];
  if (failure === null && waiting_seconds < stalledAfterSeconds) return [];
  const positions = await nameStoredEvents(transaction, [next_position]);
  const waiting = `position ${next_position} has been waiting for ${Math.round(waiting_seconds)} s at checkpoint ${checkpoint}`;
  return failure === null
    ? [faultOf('stalled_projector', projection, `No error is recorded, but ${waiting}.`, positions)]
    : [faultOf('failed_projector', projection, `The projection has stopped, and ${waiting}: ${failure}`, positions)];
}

/**
 * Checks that projections have not stalled and that checkpoints are not beyond the head. All checkpoints must be equal,
 * because a response combines rows from several read tables.
 */
export async function checkCheckpoints(
  transaction: Transaction,
  generations: readonly AuditedGeneration[],
  wanted: readonly string[],
  headPosition: number,
  stalledAfterSeconds: number,
): Promise<AuditFault[]> {
  const faults: AuditFault[] = [];
  const live = new Set(generations.map(({ projection }) => projection));
  for (const projection of wanted.filter((name) => !live.has(name))) {
    faults.push(faultOf('no_live_generation', projection, 'The projection has no live generation.'));
  }
  for (const generation of generations) {
    faults.push(...(await checkProgress(transaction, generation, stalledAfterSeconds)));
    const { projection, checkpoint } = generation;
    if (checkpoint > headPosition) {
      const detail = `Its checkpoint is ${checkpoint}, but the log ends at position ${headPosition}.`;
      faults.push(faultOf('checkpoint_past_head', projection, detail));
    }
  }
  const furthest = Math.max(...generations.map(({ checkpoint }) => checkpoint));
  for (const { projection, checkpoint, next_position } of generations.filter((one) => one.checkpoint < furthest)) {
    const detail = `Its checkpoint is ${checkpoint}, but other checkpoints are at ${furthest}, so responses mix rows from both positions. A new projection catches up by itself.`;
    const positions = next_position === null ? [] : await nameStoredEvents(transaction, [next_position]);
    faults.push(faultOf('checkpoints_apart', projection, detail, positions));
  }
  return faults;
}
