import { type Pool, sqlState } from '@milepost/postgres';
import { findLaneOfFleet, findMoveOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  continueMove,
  hold,
  type Move,
  readState,
  setProgress,
  setStep,
  startMove,
  switchLane,
} from '../../packages/operator/fleet-move/state.ts';
import { DirectoryStore } from '../simulation/store/directory-store.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { inSimulation } from '../support/in-simulation.ts';
import { LaneWorld } from '../support/lane-world.ts';

const LANES = 3;
/** The lane in which each fleet starts. The third fleet is unknown. */
const PLACES: readonly (number | null)[] = [0, 1, null];
const STEPS = ['copying', 'moved', 'failed'] as const;

const fleet = fc.nat(PLACES.length - 1);
/** `back` selects an earlier state of a move, counting back from the last. */
const back = fc.constantFrom(0, 0, 0, 1, 2);
const operation = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), fleet, toLane: fc.nat(LANES - 1) }),
  fc.record({ kind: fc.constant('continue' as const), fleet, toLane: fc.nat(LANES - 1) }),
  fc.record({ kind: fc.constant('step' as const), back, step: fc.constantFrom(...STEPS) }),
  fc.record({
    kind: fc.constantFrom('hold' as const, 'hold' as const, 'switch' as const, 'progress' as const, 'read' as const),
    back,
  }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Describes a server's error by its code, because PostgreSQL's messages are worded differently from the simulation's.
 * Describes any other error by its message, without the run's number, which is part of the fleets' names.
 */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return sqlState(error) ?? error.message.replaceAll(/fleet-\d+-/g, 'fleet-');
}

/** Runs operations on fleet moves. Returns each operation's outcome. */
async function play(
  directory: Pool,
  operations: readonly Operation[],
  fleetIds: readonly string[],
): Promise<unknown[]> {
  const moves: Move[] = [];
  // The two directories start numbering moves and epochs at different numbers, and their fleets have different names.
  const relative = (move: Move) => ({
    ...move,
    fleet_id: fleetIds.indexOf(move.fleet_id),
    fleet_move_id: move.fleet_move_id - (moves[0]?.fleet_move_id ?? 0),
    epoch: move.epoch - (moves[0]?.epoch ?? 0),
  });
  const keep = (move: Move | null) => {
    if (move === null) return null;
    moves.push(move);
    return relative(move);
  };
  const onMove = async (back: number, work: (move: Move) => Promise<unknown>) => {
    const move = moves.at(-1 - back);
    return move ? await work(move) : null;
  };
  const run = async (next: Operation): Promise<unknown> => {
    switch (next.kind) {
      case 'start':
        return keep(await startMove(directory, fleetIds[next.fleet] ?? '', next.toLane, 'test'));
      case 'continue':
        return keep(await continueMove(directory, fleetIds[next.fleet] ?? '', next.toLane));
      case 'step':
        return await onMove(next.back, (move) => setStep(directory, move, next.step));
      case 'hold':
        return await onMove(next.back, async (move) => {
          const other = await hold(directory, move);
          return other && [fleetIds.indexOf(other.fleet_id), other.to_lane];
        });
      case 'progress':
        return await onMove(next.back, (move) => setProgress(directory, move, 1, 2));
      case 'switch':
        return await onMove(next.back, (move) => switchLane(directory, move));
      case 'read':
        return await onMove(next.back, (move) => readState(directory, move));
    }
  };
  const outcomes: unknown[] = [];
  for (const next of operations) {
    const outcome = await run(next).catch(describe);
    const lanes = [];
    for (const fleetId of fleetIds)
      lanes.push([await findLaneOfFleet(directory, fleetId), await findMoveOfFleet(directory, fleetId)]);
    outcomes.push({ next, outcome, lanes });
  }
  return outcomes;
}

async function playSimulated(operations: readonly Operation[]) {
  const store = new DirectoryStore();
  const fleetIds = PLACES.map((_lane, index) => `fleet-0-${index}`);
  for (const [index, lane] of PLACES.entries()) {
    const fleet_id = fleetIds[index] ?? '';
    if (lane !== null) store.fleets.load(fleet_id, { fleet_id, lane });
  }
  return await inSimulation(store, (pool) => play(pool, operations, fleetIds));
}

it('the simulated directory behaves like PostgreSQL for random fleet moves', async () => {
  const world = untilTestEnds(await LaneWorld.create(LANES, 1));
  let runs = 0;
  const property = fc.asyncProperty(fc.array(operation, { minLength: 15, maxLength: 40 }), async (operations) => {
    runs += 1;
    const fleetIds = PLACES.map((_lane, index) => `fleet-${runs}-${index}`);
    await world.directory.query("UPDATE fleet_move SET step = 'failed', ended_at = now() WHERE ended_at IS NULL");
    for (const [index, lane] of PLACES.entries()) if (lane !== null) await world.place(fleetIds[index] ?? '', lane);
    expect(await play(world.directory, operations, fleetIds)).toEqual(await playSimulated(operations));
  });
  await fc.assert(property, { numRuns: 25 });
});
