import { describe, expect, it } from 'vitest';
import type { AuditFault } from '../../../packages/audit/report.ts';
import { auditText } from './text.ts';

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
  });
});
