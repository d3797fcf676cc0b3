import { expect, it } from 'vitest';
import { readSources, workspaceOf } from './sources.ts';

/**
 * The maximum number of lines of TypeScript in each app, package and other folder, including its tests. A change that
 * needs more raises the number in the same commit, whose message says why.
 */
const MOST_LINES: Readonly<Record<string, number>> = {
  'apps/api': 1_600,
  'apps/cli': 7_000,
  'apps/console': 9_600,
  'apps/ingest': 3_350,
  'apps/ops': 2_250,
  'apps/projector': 350,
  deploy: 1_150,
  'packages/client': 650,
  'packages/core/audit': 650,
  'packages/core/domain': 3_350,
  'packages/core/event-log': 2_850,
  'packages/core/projections': 3_650,
  'packages/core/replay': 2_800,
  'packages/core/trail-codec': 2_650,
  'packages/core/trip-event-codec': 350,
  'packages/operator/archive': 700,
  'packages/operator/dead-letters': 300,
  'packages/operator/erasure': 750,
  'packages/operator/fleet-move': 750,
  'packages/operator/lineage': 500,
  'packages/operator/operations': 3_650,
  'packages/platform/http': 2_500,
  'packages/platform/kafka': 2_700,
  'packages/platform/metrics': 750,
  'packages/platform/postgres': 3_250,
  'packages/platform/service': 1_000,
  'packages/platform/status': 300,
  'packages/platform/tracing': 300,
  'packages/platform/validation': 250,
  'packages/trial/embedded-postgres': 750,
  'packages/trial/sample-fleet': 1_250,
  test: 55_900,
};

/** Returns the parts that are larger than allowed, or for which there is no number. */
function offenders(lines: Readonly<Record<string, number>>): string[] {
  return Object.entries(lines)
    .filter(([folder, count]) => count > (MOST_LINES[folder] ?? 0))
    .map(([folder, count]) => `${folder} has ${count} lines, of at most ${MOST_LINES[folder] ?? 0}`);
}

it('no part of the repository grows without a reason', () => {
  const lines: Record<string, number> = {};
  for (const [file, { text }] of readSources().withTests) {
    const folder = workspaceOf(file) ?? file.replace(/\/.*/s, '');
    lines[folder] = (lines[folder] ?? 0) + text.split('\n').length - 1;
  }
  expect(offenders(lines)).toEqual([]);
  expect(Object.keys(MOST_LINES).filter((folder) => !(folder in lines))).toEqual([]);
});
