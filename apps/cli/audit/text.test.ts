import { expect, it } from 'vitest';
import type { AuditFault } from '../../../packages/core/audit/report.ts';
import { auditText, outcomeSentence } from './text.ts';

const missing = (projection: string | null, check: AuditFault['check'] = 'missing_row'): AuditFault => ({
  check,
  projection,
  day: '2025-01-31',
  key: 'acme t1',
  detail: 'It is not there.',
  positions: [],
});
const EVENT = {
  position: 4711,
  kind: 'trip.processed',
  fleet_id: 'acme',
  driver_id: 'ann\u001b',
  trip_id: 'f'.repeat(32),
  revision: 1,
  topic: 'trips',
  partition: 3,
  offset: 8,
};

function reportOf(...faults: AuditFault[]) {
  const report = { projection: null, position: 9, audited_at: '2025-01-31T08:00:00.000Z', seconds: 1, projections: [] };
  return { ...report, equal: faults.length === 0, faults };
}

it("an audit's text lists each fault with its stored events, and how to repair the read tables", () => {
  const [one, two] = [{ ...missing('trips'), positions: [EVENT] }, missing('daily_rollups')];
  const text = auditText(reportOf(one, one, two));
  expect(text).toContain('3 faults found.');
  expect(text).toMatch(/\nfaults:\ncheck .*\nmissing_row {2}trips .* 2025-01-31 {2}acme t1 {2}It is not there\.\n/);
  expect(text).toMatch(
    /\nfaults 2, positions:\nposition .*\n +4711 {2}trip\.processed .* ann\? +f{32} .* trips +3 +8\n/,
  );
  expect(text).toContain('`milepost replay start trips,daily_rollups --promote`');
});

it.each([
  [[], 'no faults found.', ''],
  [[missing('trips', 'stalled_projector')], '1 fault found.', ''],
  [[missing(null)], '1 fault found.', ''],
  [[missing('trips', 'audit_failed')], 'in 1.0 s: it failed.', ''],
  [[missing('trips', 'no_live_generation')], '1 fault found.', '`milepost migrate` creates'],
])("an audit's text suggests only what repairs the faults: %j", (faults, outcome, remedy) => {
  const text = auditText(reportOf(...faults));
  expect(text).toContain(outcome);
  expect(text).toContain(remedy);
  expect(text).not.toContain('milepost replay');
});

it('the outcome of an audit is the reason why it failed, or else the number of faults', () => {
  const [first, second, failed] = [missing('trips'), missing('drivers'), missing('trips', 'audit_failed')];
  expect(outcomeSentence(reportOf(first, failed))).toBe('It is not there.');
  expect(outcomeSentence(reportOf(first, second))).toBe('The audit found 2 faults.');
});
