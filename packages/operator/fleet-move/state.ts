import { MoveTakenError } from '@milepost/event-log/fences';
import {
  column,
  columns,
  execute,
  inTransaction,
  type Pool,
  query,
  type RowOf,
  SQLSTATES,
  sqlState,
  statement,
} from '@milepost/postgres';
import { findLaneOfFleet, findMoveOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import { lockSchema } from '@milepost/postgres/schema-lock';
import { MoveRefusedError } from './errors.ts';

/**
 * The steps of a move. While `copying`, the fleet's stored events are copied. While `holding`, fences hold back the
 * fleet's records. Once `switched`, the fleet belongs to the new lane, but some fences may still be closed.
 */
type Step = 'copying' | 'holding' | 'switched' | 'moved' | 'failed';

const MOVE = {
  ...columns('number', 'fleet_move_id', 'from_lane', 'to_lane', 'epoch'),
  fleet_id: 'text',
  step: column<Step>('text'),
} as const;
/** A fleet's unfinished move. */
export type Move = RowOf<typeof MOVE>;

const CONTINUE_MOVE = statement('continue-move', MOVE)`
  UPDATE fleet_move SET epoch = nextval('fleet_move_epoch') WHERE fleet_id = $1 AND to_lane = $2 AND ended_at IS NULL
  RETURNING fleet_move_id, from_lane, to_lane, epoch, fleet_id, step`;

const START_MOVE = statement('start-move', MOVE)`
  INSERT INTO fleet_move (fleet_id, from_lane, to_lane, requested_by)
  SELECT fleet_id, lane, $2, $3 FROM fleet WHERE fleet_id = $1
  RETURNING fleet_move_id, from_lane, to_lane, epoch, fleet_id, step`;

/**
 * Continues an unfinished move. Returns null if there is none. Afterwards, a process that was running the move can no
 * longer change anything.
 */
export async function continueMove(directory: Pool, fleetId: string, toLane: number): Promise<Move | null> {
  const [continued] = await query(directory, CONTINUE_MOVE, [fleetId, toLane]);
  return continued ?? null;
}

/**
 * Starts to move a fleet.
 *
 * @throws MoveRefusedError
 */
export async function startMove(directory: Pool, fleetId: string, toLane: number, operator: string): Promise<Move> {
  const running = await findMoveOfFleet(directory, fleetId);
  if (running !== null) {
    throw new MoveRefusedError(
      `Fleet ${fleetId} is being moved to lane ${running}: finish this move first with \`milepost fleets move ${fleetId} ${running}\`.`,
    );
  }
  const lane = await findLaneOfFleet(directory, fleetId);
  if (lane === undefined)
    throw new MoveRefusedError(`There is no fleet ${fleetId}: \`milepost fleets list\` lists all fleets with records.`);
  if (lane === toLane) throw new MoveRefusedError(`Fleet ${fleetId} is already in lane ${toLane}.`);
  try {
    const [started] = await query(directory, START_MOVE, [fleetId, toLane, operator]);
    if (started) return started;
  } catch (error) {
    if (sqlState(error) !== SQLSTATES.unique_violation) throw error;
  }
  // Another process has started a move since the lookup.
  throw new MoveRefusedError(`Fleet ${fleetId} is already being moved: \`milepost fleets list\` shows the move.`);
}

const FIND_HOLDING_MOVE = statement('find-holding-move', {
  fleet_move_id: 'number',
  fleet_id: 'text',
  to_lane: 'number',
})`
  SELECT fleet_move_id, fleet_id, to_lane FROM fleet_move
  WHERE step IN ('holding', 'switched') AND fleet_move_id <> $1 ORDER BY fleet_move_id LIMIT 1`;

const SET_STEP = statement('set-move-step')`
  UPDATE fleet_move SET step = $3, error = $4, ended_at = CASE WHEN $3 IN ('moved', 'failed') THEN now() END
  WHERE fleet_move_id = $1 AND epoch = $2`;

/** Records a move's step. Throws MoveTakenError when another process has taken over the move. */
export async function setStep(
  directory: Pool,
  { fleet_move_id, epoch }: Move,
  step: Exclude<Step, 'holding' | 'switched'>,
  error: string | null = null,
): Promise<void> {
  const changed = await execute(directory, SET_STEP, [fleet_move_id, epoch, step, error]);
  if (changed === 0) throw new MoveTakenError();
}

/**
 * Marks a move as holding back its fleet's records, unless another move is already doing so. Two moves in opposite
 * directions must not both hold back records, because each would wait for the other's lane.
 *
 * @returns the other move; null when this move now holds back the records
 * @throws MoveTakenError when another process has taken over the move
 */
export async function hold(directory: Pool, { fleet_move_id, epoch }: Move) {
  return await inTransaction(directory, async (transaction) => {
    // A separate statement, so that the next statement's snapshot is taken after the lock has been acquired.
    await transaction.run(lockSchema('move'));
    const [other] = await transaction.rows(FIND_HOLDING_MOVE, [fleet_move_id]);
    if (other) return other;
    const changed = await transaction.execute(SET_STEP, [fleet_move_id, epoch, 'holding', null]);
    if (changed === 0) throw new MoveTakenError();
    return null;
  });
}

const SET_PROGRESS = statement('set-move-progress')`
  UPDATE fleet_move SET position = $3, head_position = $4 WHERE fleet_move_id = $1 AND epoch = $2`;

/** Records how far the former lane's log has been copied. */
export async function setProgress(
  directory: Pool,
  { fleet_move_id, epoch }: Move,
  position: number,
  headPosition: number,
): Promise<void> {
  await execute(directory, SET_PROGRESS, [fleet_move_id, epoch, position, headPosition]);
}

const MARK_SWITCHED = statement('mark-move-switched')`
  UPDATE fleet_move SET step = 'switched' WHERE fleet_move_id = $1 AND epoch = $2 AND step = 'holding'`;

const SWITCH_LANE = statement('switch-lane-of-fleet')`
  UPDATE fleet SET lane = $2, placed_at = now() WHERE fleet_id = $1 AND lane = $3`;

/**
 * Places the fleet in its new lane and records the step in the same transaction.
 *
 * @throws MoveTakenError when another process has taken over the move; the fleet then stays where it is
 */
export async function switchLane(
  directory: Pool,
  { fleet_move_id, epoch, fleet_id, from_lane, to_lane }: Move,
): Promise<void> {
  await inTransaction(directory, async (transaction) => {
    const marked = await transaction.execute(MARK_SWITCHED, [fleet_move_id, epoch]);
    const switched = await transaction.execute(SWITCH_LANE, [fleet_id, to_lane, from_lane]);
    if (marked + switched !== 2) throw new MoveTakenError();
  });
}

const READ_STATE = statement('read-state-of-move', { lane: 'number', step: column<Step>('text') })`
  SELECT lane, step FROM fleet JOIN fleet_move USING (fleet_id) WHERE fleet_move_id = $1 AND epoch = $2`;

/**
 * Returns the fleet's lane and the move's step.
 *
 * @throws MoveTakenError when another process has taken over the move
 */
export async function readState(directory: Pool, { fleet_move_id, epoch }: Move): Promise<RowOf<typeof READ_STATE>> {
  const [state] = await query(directory, READ_STATE, [fleet_move_id, epoch]);
  if (!state) throw new MoveTakenError();
  return state;
}
