import type { Mutant } from './support/mutant.ts';

const ENGINE = ['test/integration/projections/engine.test.ts'];
const ROLLUPS = ['test/integration/projections/rollups.test.ts'];
const CHANGES = ['test/integration/projections/score-changes.test.ts'];
const LEASES = ['test/integration/replay/leases.test.ts'];

/** Mutants of the read tables and their replays, which need PostgreSQL. */
export const PROJECTIONS: readonly Mutant[] = [
  {
    name: 'A batch passes the checkpoint of another projection.',
    file: 'packages/projections/engine/advance.ts',
    find: 'Math.min(after + batchSize, ...ends, ...checkpoints.filter((other) => other > after))',
    replace: 'Math.min(after + batchSize, ...ends)',
    tests: ENGINE,
  },
  {
    name: 'A failed batch is not halved.',
    file: 'packages/projections/engine/advance.ts',
    find: 'if (!isTooMuch || size === 1) throw error;',
    replace: 'if (!isTooMuch || size >= 1) throw error;',
    tests: ENGINE,
  },
  {
    name: 'A projection of another version is advanced.',
    file: 'packages/projections/engine/advance.ts',
    find: 'if (generation.version !== projection.version) {',
    replace: 'if (generation.version > projection.version) {',
    tests: ENGINE,
  },
  {
    name: 'The plans of an empty log are kept.',
    file: 'packages/projections/engine/run.ts',
    find: 'if (range.through > 2 * plannedAt) {',
    replace: 'if (range.through < plannedAt) {',
    tests: ENGINE,
  },
  {
    name: 'The totals of a week continue from its first earlier day, not from the last one.',
    file: 'packages/projections/weekly-rollups/driven-weeks.ts',
    find: 'ORDER BY rollup.through_date DESC LIMIT 1) before',
    replace: 'ORDER BY rollup.through_date LIMIT 1) before',
    tests: ROLLUPS,
  },
  {
    name: 'A week counts a touched day twice.',
    file: 'packages/projections/weekly-rollups/driven-weeks.ts',
    find: '<> ALL (touched_days)',
    replace: '<> ALL (touched_days[1:0])',
    tests: ROLLUPS,
  },
  {
    name: 'The chunks of drivers overlap.',
    file: 'packages/projections/rollups/fill.ts',
    find: 'WHERE (fleet_id, driver_id) > ($1, $2)',
    replace: 'WHERE (fleet_id, driver_id) >= ($1, $2)',
    tests: ['test/integration/replay/rollup-chunks.test.ts'],
  },
  {
    name: 'A worker takes a replay from its holder.',
    file: 'packages/replay/lease.ts',
    find: ' AND (lease_expires_at IS NULL OR lease_expires_at < now())\n',
    replace: '\n',
    tests: LEASES,
  },
  {
    name: 'A worker without the claim renews the lease.',
    file: 'packages/replay/lease.ts',
    find: 'WHERE replay_id = $1 AND epoch = $2 RETURNING phase',
    replace: 'WHERE replay_id = $1 AND epoch >= $2 RETURNING phase',
    tests: LEASES,
  },
  {
    name: 'A worker without the claim releases the lease.',
    file: 'packages/replay/lease.ts',
    find: 'throttled_by = NULL\n  WHERE replay_id = $1 AND epoch = $2`',
    replace: 'throttled_by = NULL\n  WHERE replay_id = $1 AND epoch >= $2`',
    tests: LEASES,
  },
  {
    name: 'A worker that has lost its claim changes the phase of a replay.',
    file: 'packages/replay/lease.ts',
    find: 'WHERE replay_id = $1 AND epoch = $2 AND phase = $3 AND halted IS NULL FOR UPDATE',
    replace: 'WHERE replay_id = $1 AND epoch >= $2 AND phase = $3 AND halted IS NULL FOR UPDATE',
    tests: LEASES,
  },
  {
    name: 'A worker changes the phase of a paused replay.',
    file: 'packages/replay/lease.ts',
    find: 'epoch = $2 AND phase = $3 AND halted IS NULL FOR UPDATE',
    replace: 'epoch = $2 AND phase = $3 FOR UPDATE',
    tests: LEASES,
  },
  {
    name: 'A worker claims a paused replay.',
    file: 'packages/replay/lease.ts',
    find: 'WHERE replay_id = $1 AND halted IS NULL AND (lease_expires_at IS NULL',
    replace: 'WHERE replay_id = $1 AND (lease_expires_at IS NULL',
    tests: LEASES,
  },
  {
    name: 'One table that differs as expected lets the unexpected differences of other tables be promoted.',
    file: 'packages/replay/steps/verify.ts',
    find: 'tables.every((table) => table.expected)',
    replace: 'tables.some((table) => table.expected)',
    tests: ['test/integration/replay/takeover.test.ts'],
  },
  {
    name: 'A promotion keeps the columns of the earlier version.',
    file: 'packages/replay/steps/promote.ts',
    find: 'if (isSameVersion) return',
    replace: 'if (isSameVersion || live.length > 0) return',
    tests: ['test/integration/replay/replay.test.ts'],
  },
  {
    name: 'Retention promotes rows of another version.',
    file: 'apps/ops/worker/retention.ts',
    find: 'if (cutoff === null || outdated.includes(projection.name)) continue;',
    replace: 'if (cutoff === null) continue;',
    tests: ['test/integration/replay/retention-versions.test.ts'],
  },
  {
    name: 'A replay whose job no worker processes stands still.',
    file: 'apps/ops/worker/replays.ts',
    find: 'if (overdue.has(id)) {',
    replace: 'if (overdue.has(id) && signal.aborted) {',
    tests: ['test/integration/ops/replay-runner.test.ts'],
  },
  {
    name: 'The failure of a replaced version is recorded for the live one.',
    file: 'packages/projections/engine/checkpoints.ts',
    find: 'AND version = $4 AND live`',
    replace: 'AND $4::integer > 0 AND live`',
    tests: ['test/integration/projections/engine.test.ts'],
  },
  {
    name: 'The travel days of a driver keep those of a superseded trip when the batch also adds one.',
    file: 'packages/projections/drivers/projection.ts',
    find: 'bool_or(superseded) AS any_superseded',
    replace: 'bool_and(superseded) AS any_superseded',
    tests: ['test/integration/projections/drivers.test.ts'],
  },
  {
    name: 'The report of changed focus areas counts drivers of two fleets with the same id as one.',
    file: 'packages/projections/trips/focus-changes.ts',
    find: 'SELECT DISTINCT fleet_id, driver_id FROM changed',
    replace: 'SELECT DISTINCT driver_id FROM changed',
    tests: CHANGES,
  },
  {
    name: 'The report of changed scores counts changed drivers of two fleets with the same id as one.',
    file: 'packages/projections/rollups/score-changes.ts',
    find: 'SELECT DISTINCT fleet_id, driver_id FROM changed',
    replace: 'SELECT DISTINCT driver_id FROM changed',
    tests: CHANGES,
  },
  {
    name: 'The report of changed scores counts compared drivers of two fleets with the same id as one.',
    file: 'packages/projections/rollups/score-changes.ts',
    find: 'SELECT DISTINCT fleet_id, driver_id FROM both_sides',
    replace: 'SELECT DISTINCT driver_id FROM both_sides',
    tests: CHANGES,
  },
];
