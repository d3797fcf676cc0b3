import { expect, it } from 'vitest';
import { readSources, workspaceOf } from './sources.ts';

/**
 * The maximum number of lines of TypeScript in each app, package and other folder, including its tests. If a change
 * needs more lines, the same commit raises the number, and its message says why.
 */
const MAX_LINES: Readonly<Record<string, number>> = {
  'apps/api': 1_545,
  'apps/cli': 6_600,
  'apps/console': 9_080,
  'apps/ingest': 3_065,
  'apps/ops': 1_970,
  'apps/projector': 300,
  deploy: 1_050,
  'packages/client': 600,
  'packages/core/audit': 530,
  'packages/core/domain': 2_730,
  'packages/core/event-log': 2_240,
  'packages/core/projections': 3_320,
  'packages/core/replay': 2_530,
  'packages/core/trail-codec': 2_500,
  'packages/core/trip-event-codec': 350,
  'packages/operator/archive': 710,
  'packages/operator/dead-letters': 470,
  'packages/operator/erasure': 725,
  'packages/operator/fleet-move': 680,
  'packages/operator/lineage': 420,
  'packages/operator/operations': 3_505,
  'packages/platform/http': 2_310,
  'packages/platform/kafka': 2_485,
  'packages/platform/metrics': 620,
  'packages/platform/postgres': 3_300,
  'packages/platform/service': 930,
  'packages/platform/status': 210,
  'packages/platform/tracing': 300,
  'packages/platform/validation': 250,
  'packages/trial/embedded-postgres': 600,
  'packages/trial/sample-fleet': 1_130,
  test: 46_800,
};

/** Returns the parts that are larger than allowed, or for which there is no number. */
function offenders(lines: Readonly<Record<string, number>>): string[] {
  return Object.entries(lines)
    .filter(([folder, count]) => count > (MAX_LINES[folder] ?? 0))
    .map(([folder, count]) => `${folder} has ${count} lines, of at most ${MAX_LINES[folder] ?? 0}`);
}

it('no part of the repository grows without a reason', () => {
  const lines: Record<string, number> = {};
  for (const [file, { text }] of readSources().withTests) {
    const folder = workspaceOf(file) ?? file.replace(/\/.*/s, '');
    lines[folder] = (lines[folder] ?? 0) + text.split('\n').length - 1;
  }
  expect(offenders(lines)).toEqual([]);
  expect(Object.keys(MAX_LINES).filter((folder) => !(folder in lines))).toEqual([]);
});
