import { setTimeout as delay } from 'node:timers/promises';
import { ONLY_TOPICS } from '@milepost/domain/ids';
import { type Pool, query, queryRow, statement } from '@milepost/postgres';
import { MoveRefusedError } from './errors.ts';
import { hold, type Move } from './state.ts';

const POLL_MILLISECONDS = 20;
/** A process that does not make progress for this long is treated as stopped. */
const MAX_STALL_MILLISECONDS = 60_000;

/** A reason to wait until another process has made progress. */
interface Obstacle {
  /** The other process's progress. The wait ends with an error when this number does not change for a minute. */
  reached: number;
  /** The error's message. */
  sentence: string;
}

/**
 * Waits until `find` returns null. Throws MoveRefusedError when the result's `reached` has not changed for a minute.
 *
 * Exported for tests.
 */
export async function untilClear(find: () => Promise<Obstacle | null>, signal: AbortSignal): Promise<void> {
  let changedAt = performance.now();
  let last: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const obstacle = await find();
    if (obstacle === null) return;
    if (obstacle.reached !== last) changedAt = performance.now();
    if (performance.now() - changedAt > MAX_STALL_MILLISECONDS) throw new MoveRefusedError(obstacle.sentence);
    last = obstacle.reached;
    await delay(POLL_MILLISECONDS);
  }
}

/**
 * Waits until no other move is holding back records, and then lets this move hold back its fleet's records.
 *
 * @throws MoveRefusedError when another move holds back records for more than a minute; MoveTakenError when another
 * process has taken over this move
 */
export async function untilHeld(directory: Pool, move: Move, signal: AbortSignal): Promise<void> {
  await untilClear(async () => {
    const other = await hold(directory, move);
    if (!other) return null;
    const sentence = `The move of fleet ${other.fleet_id} is holding back records: finish it first with \`milepost fleets move ${other.fleet_id} ${other.to_lane}\`.`;
    return { reached: other.fleet_move_id, sentence };
  }, signal);
}

const READ_OFFSETS = statement('read-offsets-of-topics', { source: 'text', next_offset: 'number' })`
  SELECT topic || '/' || partition AS source, next_offset FROM log_source WHERE ${ONLY_TOPICS}`;

/**
 * Waits until the fleet's lane has read each partition as far as the new lane has. The new lane skipped the fleet's
 * records up to that point, so the fleet's lane must store them.
 *
 * @throws MoveRefusedError when no offset changes for a minute
 */
export async function untilOffsetsReach(from: Pool, to: Pool, signal: AbortSignal): Promise<void> {
  const targets = await query(to, READ_OFFSETS);
  await untilClear(async () => {
    const offsets = new Map((await query(from, READ_OFFSETS)).map(({ source, next_offset }) => [source, next_offset]));
    const behind = targets.find(({ source, next_offset }) => next_offset > (offsets.get(source) ?? 0));
    if (!behind) return null;
    const { source, next_offset } = behind;
    const reached = offsets.values().reduce((sum, offset) => sum + offset, 0);
    const sentence = `The fleet's lane has read ${source} up to offset ${offsets.get(source) ?? 0}, but the new lane has read it up to ${next_offset}: run \`ingest\`, and check the source in \`milepost status\`.`;
    return { reached, sentence };
  }, signal);
}

const READ_CHECKPOINT = statement('read-live-checkpoint', { checkpoint: 'number?' })`
  SELECT min(checkpoint) AS checkpoint FROM generation WHERE live`;

/**
 * Waits until all read tables of a lane have reached a position.
 *
 * @throws MoveRefusedError when the read tables make no progress for a minute
 */
export async function untilProjected(pool: Pool, position: number, signal: AbortSignal): Promise<void> {
  await untilClear(async () => {
    const checkpoint = (await queryRow(pool, READ_CHECKPOINT)).checkpoint ?? 0;
    if (checkpoint >= position) return null;
    const sentence = `The read tables of the new lane are at position ${checkpoint} of ${position}: run \`projector\`, and check the lag in \`milepost status\`.`;
    return { reached: checkpoint, sentence };
  }, signal);
}
