import type { Mutant } from './support/mutant.ts';

const REQUESTS = ['test/integration/replay/requests.test.ts'];

/** Mutants of replays: their requests, their lanes, and their ends. */
export const REPLAYS: readonly Mutant[] = [
  {
    name: 'A replay that waits for its promotion can be paused.',
    file: 'packages/replay/control.ts',
    find: "if (replay.phase === 'waiting') {",
    replace: "if (replay.phase === 'promoting') {",
    tests: REQUESTS,
  },
  {
    name: 'A failed cancellation cannot be resumed.',
    file: 'packages/replay/control.ts',
    find: "if (!DISCARDING_PHASES.includes(replay.phase)) refuseEnded(replay, 'resume');",
    replace: "refuseEnded(replay, 'resume');",
    tests: REQUESTS,
  },
  {
    name: 'A promotion is not compared with the phase that was read.',
    file: 'packages/replay/control.ts',
    find: 'WHERE replay_id = $1 AND phase = $2 AND halted IS NOT DISTINCT FROM $3',
    replace: 'WHERE replay_id = $1 AND ($2::text IS NOT NULL OR $3::text IS NULL)',
    tests: REQUESTS,
  },
  {
    name: 'A running replay can be dropped.',
    file: 'packages/replay/control.ts',
    find: "replay.phase !== 'waiting' && replay.phase !== 'promoted'",
    replace: "replay.phase === 'promoting'",
    tests: REQUESTS,
  },
  {
    name: 'A replay with another cutoff counts as the same one.',
    file: 'packages/replay/requests.ts',
    find: 'each.projection === label && each.kind === kind && each.cutoff === cutoff',
    replace: 'each.projection === label && each.kind === kind',
    tests: REQUESTS,
  },
  {
    name: 'A rollback mixes generations of two promotions.',
    file: 'packages/replay/roll-back.ts',
    find: 'if (promotions.size <= 1) return;',
    replace: 'if (promotions.size >= 1) return;',
    tests: ['test/integration/replay/replay.test.ts'],
    only: 'rolls back together only the projections that were promoted together',
  },
  {
    name: 'A rollback restores a dropped generation.',
    file: 'packages/replay/roll-back.ts',
    find: 'WHERE live.projection = $1 AND live.live AND earlier.dropped_at IS NULL',
    replace: 'WHERE live.projection = $1 AND live.live',
    tests: REQUESTS,
  },
  {
    name: 'A rollback finds the last promotion by its time.',
    file: 'packages/replay/roll-back.ts',
    find: 'ORDER BY member.replay_id DESC LIMIT 1',
    replace: 'ORDER BY (SELECT finished_at FROM replay WHERE replay.replay_id = member.replay_id) DESC LIMIT 1',
    tests: REQUESTS,
  },
  {
    name: 'A cancelled rollback drops the generation that it would have restored.',
    file: 'packages/replay/steps/discard.ts',
    find: "($2 = 'build' OR $3 = 'dropping')",
    replace: "($2 IN ('build', 'roll_back') OR $3 = 'dropping')",
    tests: REQUESTS,
  },
  {
    name: 'A worker runs each replay only once.',
    file: 'apps/ops/worker/replays.ts',
    find: '      running.delete(id);\n',
    replace: '',
    tests: ['test/integration/ops/replay-runner.test.ts'],
  },
  {
    name: 'A drop removes the generation that a running rollback restores.',
    file: 'packages/replay/steps/discard.ts',
    find: 'AND other.active AND',
    replace: 'AND NOT other.active AND',
    tests: REQUESTS,
  },
  {
    name: 'A drop removes the generation that the newest replay has replaced.',
    file: 'packages/replay/steps/discard.ts',
    find: 'AND live.live AND newer.replay_id > $1',
    replace: 'AND live.live AND newer.replay_id < $1',
    tests: ['test/integration/replay/replay.test.ts'],
  },
  {
    name: 'A pause hides that a replay has failed.',
    file: 'packages/replay/control.ts',
    find: "halted: replay.halted ?? 'paused'",
    replace: "halted: 'paused'",
    tests: REQUESTS,
  },
  {
    name: 'A replay of all lanes fails only if it fails in every lane.',
    file: 'apps/cli/replay/start-in-lanes.ts',
    find: 'if (failures.length > 0) throw',
    replace: 'if (failures.length === lanes.length) throw',
    tests: ['test/integration/lanes/operators.test.ts'],
    only: 'one lane refuses a replay',
  },
];
