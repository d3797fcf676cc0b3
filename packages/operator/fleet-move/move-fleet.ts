import { moveSource } from '@milepost/domain/ids';
import { MoveTakenError, setFence } from '@milepost/event-log/fences';
import { readHeadPosition } from '@milepost/event-log/head';
import { claimSource } from '@milepost/event-log/sources';
import { type Pool, ROLES } from '@milepost/postgres';
import type { LaneAccess } from '@milepost/postgres/lanes/role-pools';
import { refuseDeadLetters, refuseErasures } from './checks.ts';
import { EMPTY_DIGEST, extendDigest, haveSameSetAside } from './compare.ts';
import { type Copy, copyEvents } from './copy.ts';
import { MoveRefusedError } from './errors.ts';
import { continueMove, type Move, readState, setProgress, setStep, startMove, switchLane } from './state.ts';
import { untilHeld, untilOffsetsReach, untilProjected } from './wait.ts';

/** The fences are set when at most this many positions remain to be copied from the log in the fleet's lane. */
const MAX_TAIL_POSITIONS = 2_000;
/**
 * The fences are set after at most this many passes of the copy, because a lane may store faster than the copy reads.
 */
const MAX_COPIES = 20;
const PROGRESS_MILLISECONDS = 1_000;

/** A lane that takes part in a move, with a pool for each database role. */
type MoveLane = Pick<LaneAccess, 'number' | 'pool'>;

interface MoveOptions {
  /** Connections to the directory, made as the operator role. */
  directory: Pool;
  /** All lanes. */
  lanes: readonly MoveLane[];
  fleetId: string;
  toLane: number;
  /** The actor, 1 to 128 characters. */
  operator: string;
  signal: AbortSignal;
  /** Called with the position up to which the log in the fleet's lane has been copied, and the log's last position. */
  onProgress?: (position: number, head: number) => void;
}

interface Moved {
  /** The number of the fleet's stored events in the new lane. */
  stored_events: number;
  /** How long the fleet's records waited. */
  held_seconds: number;
}

/** A running move with its lanes. */
interface Running extends Required<Pick<MoveOptions, 'directory' | 'signal' | 'onProgress'>> {
  move: Move;
  from: MoveLane;
  to: MoveLane;
}

function laneOf(lanes: readonly MoveLane[], number: number): MoveLane {
  const lane = lanes.find((each) => each.number === number);
  if (lane) return lane;
  throw new MoveRefusedError(`There is no lane ${number}: \`milepost lanes list\` lists all lanes.`);
}

/** Throws MoveRefusedError when a lane does not respond. */
async function assertAnswers({ number, pool }: MoveLane, fleetId: string, toLane: number): Promise<void> {
  await readHeadPosition(pool(ROLES.projector)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MoveRefusedError(
      `Lane ${number} does not respond (${reason}): run \`milepost fleets move ${fleetId} ${toLane}\` again once it responds.`,
    );
  });
}

const setFenceIn = async ({ pool }: MoveLane, { fleet_id: fleetId, epoch }: Move, stores: boolean, passes: boolean) =>
  await setFence(pool(ROLES.ingest), { fleetId, epoch, stores, passes });

/**
 * Opens the fences according to the directory, so that the fleet's lane never skips the fleet's records and the other
 * lane never stores them. A process with an outdated list of fleets therefore does not lose records. The fence in the
 * fleet's lane is opened first, so that this lane stores records even if the other lane does not respond.
 *
 * @throws MoveRefusedError when a lane does not respond
 */
async function openFences({ move, from, to, directory }: Running): Promise<void> {
  const { lane: current } = await readState(directory, move);
  for (const lane of current === from.number ? [from, to] : [to, from]) {
    const isCurrent = lane.number === current;
    await assertAnswers(lane, move.fleet_id, to.number);
    await setFenceIn(lane, move, isCurrent, !isCurrent);
  }
}

/**
 * Copies the fleet's stored events while its lane continues to store records.
 *
 * @returns the copy, its source's claim, and the digests of both lanes so far
 */
async function copyMost({ move, from, to, directory, signal, onProgress }: Running) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const copy: Copy = {
    fleetId: move.fleet_id,
    from: from.pool(ROLES.projector),
    to: to.pool(ROLES.ingest),
    signal,
    async onProgress(position, head) {
      onProgress(position, head);
      if (performance.now() - reportedAt < PROGRESS_MILLISECONDS && position < head) return;
      reportedAt = performance.now();
      await setProgress(directory, move, position, head);
    },
  };
  // The next offset of this source follows the last position that was read.
  let claim = await claimSource(copy.to, moveSource(from.number, move.fleet_id), 0);
  for (let copies = 0; copies < MAX_COPIES; copies += 1) {
    claim = await copyEvents(copy, claim);
    await untilProjected(to.pool(ROLES.projector), await readHeadPosition(copy.to), signal);
    if ((await readHeadPosition(copy.from)) - claim.nextOffset < MAX_TAIL_POSITIONS) break;
  }
  const reader = to.pool(ROLES.projector);
  const digests = {
    from: await extendDigest(copy.from, move.fleet_id, EMPTY_DIGEST, claim.nextOffset - 1, signal),
    to: await extendDigest(reader, move.fleet_id, EMPTY_DIGEST, await readHeadPosition(copy.to), signal),
  };
  return { copy, claim, digests };
}

/** Copies the fleet and places it in the new lane. */
async function copyAndSwitch(running: Running): Promise<Moved> {
  const { move, from, to, directory, signal } = running;
  for (const lane of [from, to]) await assertAnswers(lane, move.fleet_id, to.number);
  for (const lane of [from, to]) await refuseErasures(lane.pool(ROLES.operator), move.fleet_id, lane.number);
  await refuseDeadLetters(from.pool(ROLES.operator), move.fleet_id, from.number);
  const { copy, claim, digests } = await copyMost(running);
  await untilHeld(directory, move, signal);
  const held = performance.now();
  // The new lane's fence is closed first. Otherwise, the new lane could skip a record that the fleet's lane no longer
  // stores.
  await setFenceIn(to, move, false, false);
  await untilOffsetsReach(from.pool(ROLES.operator), to.pool(ROLES.operator), signal);
  await setFenceIn(from, move, false, false);
  // A record read during the copy may have become a dead letter, so check again. From now on, there can be no further
  // dead letters, because the closed fence holds back all of the fleet's records.
  await refuseDeadLetters(from.pool(ROLES.operator), move.fleet_id, from.number);
  const { nextOffset } = await copyEvents(copy, claim);
  const head = await readHeadPosition(copy.to);
  const reader = to.pool(ROLES.projector);
  await untilProjected(reader, head, signal);
  const inFrom = await extendDigest(copy.from, move.fleet_id, digests.from, nextOffset - 1, signal);
  const inTo = await extendDigest(reader, move.fleet_id, digests.to, head, signal);
  if (inFrom.storedEvents !== inTo.storedEvents || inFrom.digest !== inTo.digest) {
    throw new MoveRefusedError(
      `Fleet ${move.fleet_id} has ${inFrom.storedEvents} stored events in lane ${from.number} and ${inTo.storedEvents} in lane ${to.number}, which differ in number or content: the fleet stays in lane ${from.number}. Audit both lanes with \`milepost audit --lane\`.`,
    );
  }
  // The copy skipped stored events that were already in the new lane. Such an event could be set aside in one lane
  // only.
  if (!(await haveSameSetAside([copy.from, reader], move.fleet_id))) {
    throw new MoveRefusedError(
      `Different stored events of fleet ${move.fleet_id} are set aside in lanes ${from.number} and ${to.number}: the fleet stays in lane ${from.number}. \`milepost positions list --lane\` shows them, and \`set-aside\` or \`put-back\` resolves the difference.`,
    );
  }
  // An erasure that began before the move may have changed the log since the first check.
  await refuseErasures(from.pool(ROLES.operator), move.fleet_id, from.number);
  await switchLane(directory, move);
  await openFences(running);
  return { stored_events: inTo.storedEvents, held_seconds: (performance.now() - held) / 1_000 };
}

/**
 * Opens the fences after an error and records the error. After the switch, the move must be continued instead.
 *
 * @throws MoveTakenError when another process has taken over the move
 */
async function undo(running: Running, error: unknown): Promise<void> {
  const { move, directory, to } = running;
  const { lane, step } = await readState(directory, move);
  if (lane === to.number) throw error;
  if (step === 'holding') await openFences(running);
  await setStep(directory, move, 'failed', error instanceof Error ? error.message : String(error));
}

/**
 * Moves a fleet to another lane, or continues an unfinished move. The fleet's lane serves requests and stores records
 * until the copy is complete. Then the fences hold back the fleet's records for a moment while the directory switches
 * to the new lane. The former lane keeps its copy of the fleet, but requests do not read it.
 *
 * After an error before the switch, the fleet stays where it was. If the process is killed, the same call continues the
 * move.
 *
 * @throws MoveRefusedError, MoveTakenError, SourceFencedError
 */
export async function moveFleet(options: MoveOptions) {
  const { directory, lanes, fleetId, toLane, operator, signal, onProgress = () => {} } = options;
  const to = laneOf(lanes, toLane);
  let move = await continueMove(directory, fleetId, toLane);
  if (move === null) {
    // Once a move has started, this lane may contain a copy of the fleet, so an erasure must include the lane.
    await assertAnswers(to, fleetId, toLane);
    move = await startMove(directory, fleetId, toLane, operator);
  }
  const from = laneOf(lanes, move.from_lane);
  const running = { move, from, to, directory, signal, onProgress };
  const { from_lane, to_lane } = move;
  const finish = async (result: Moved) => {
    await setStep(directory, move, 'moved');
    return { fleet_id: fleetId, from_lane, to_lane, ...result };
  };
  if (move.step === 'switched') {
    await openFences(running);
    const reader = to.pool(ROLES.projector);
    const { storedEvents } = await extendDigest(reader, fleetId, EMPTY_DIGEST, await readHeadPosition(reader), signal);
    return await finish({ stored_events: storedEvents, held_seconds: 0 });
  }
  try {
    return await finish(await copyAndSwitch(running));
  } catch (error) {
    await undo(running, error).catch((failure: unknown) => {
      if (failure instanceof MoveTakenError) throw failure;
      const remedy =
        failure instanceof MoveRefusedError
          ? failure.message
          : `Run \`milepost fleets move ${fleetId} ${toLane}\` again.`;
      throw new Error(`The move of fleet ${fleetId} has been interrupted, and records are waiting. ${remedy}`, {
        cause: error,
      });
    });
    throw error;
  }
}
