import { describe, expect, it } from 'vitest';
import type { AuditFault } from '../../../packages/core/audit/report.ts';
import { auditText, outcomeSentence } from './text.ts';

const missing = (projection: string): AuditFault => ({
  check: 'missing_row',
  projection,
  day: '2025-01-31',
  key: 'acme t1',
  detail: 'It is not there.',
  positions: [],
});

function textOf(faults: AuditFault[]): string {
  return auditText({
    projection: null,
    position: 9,
    audited_at: '2025-01-31T08:00:00.000Z',
    seconds: 1,
    equal: faults.length === 0,
    projections: [],
    faults,
  });
}

describe("an audit's text", () => {
  it('counts faults and names the command that repairs the read tables', () => {
    const text = textOf([missing('trips'), missing('trips'), missing('daily_rollups')]);
    expect(text).toContain('3 faults found.');
    expect(text).toContain('`milepost replay start trips,daily_rollups --promote`');
  });

  it('suggests no replay for faults that a replay cannot repair', () => {
    const text = textOf([{ ...missing('trips'), check: 'stalled_projector' }]);
    expect(text).toContain('1 fault found.');
    expect(text).not.toContain('milepost replay');
    expect(textOf([])).toContain('no faults found.');
    expect(textOf([{ ...missing('trips'), projection: null }])).not.toContain('milepost replay');
  });

  it('shows five stored events of a fault, and the number of the others', () => {
    const event = (position: number) => ({
      position,
      kind: 'trip.processed',
      revision: 1,
      fleet_id: 'acme',
      driver_id: 'ann\u001b',
      trip_id: position === 2 ? 'f'.repeat(32) : null,
      topic: position === 1 ? null : 'trips',
      partition: 3,
      offset: 8,
    });
    const positions = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1));
    const text = textOf([{ ...missing('trips'), positions: positions(6) }]);
    expect(text).toContain('\n    position 1: trip.processed, driver ann?, revision 1\n');
    expect(text).toContain(`\n    position 2: trip.processed, trip ${'f'.repeat(32)}, driver ann?, revision 1, from`);
    expect(text).toContain(
      '\n    position 5: trip.processed, driver ann?, revision 1, from trips/3 offset 8\n    and 1 more\n',
    );
    expect(textOf([{ ...missing('trips'), positions: positions(5) }])).not.toContain('more\n');
  });

  it('names the cause of an audit that failed, and the command that creates missing tables', () => {
    const failed: AuditFault = { ...missing('trips'), check: 'audit_failed', detail: 'It ran out of time.' };
    expect(textOf([failed])).toContain('in 1.0 s: it failed.');
    const [first, second] = [missing('trips'), missing('drivers')];
    const report = { projection: null, position: 9, audited_at: '', seconds: 1, equal: false, projections: [] };
    expect(outcomeSentence({ ...report, faults: [first, failed] })).toBe('It ran out of time.');
    expect(outcomeSentence({ ...report, faults: [first, second] })).toBe('The audit found 2 faults.');
    expect(textOf([{ ...missing('trips'), check: 'no_live_generation' }])).toContain('`milepost migrate` creates');
    expect(textOf([first])).not.toContain('milepost migrate');
  });
});
