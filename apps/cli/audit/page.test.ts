import type { AuditFault } from '@milepost/audit';
import { describe, expect, it } from 'vitest';
import { auditPage } from './page.ts';

const missing = (projection: string): AuditFault => ({
  check: 'missing_row',
  projection,
  day: '2025-01-31',
  key: 'acme t1',
  detail: 'It is not there.',
  positions: [],
});

function page(faults: AuditFault[]): string {
  return auditPage({
    projection: null,
    position: 9,
    audited_at: '2025-01-31T08:00:00.000Z',
    seconds: 1,
    equal: faults.length === 0,
    projections: [],
    faults,
  });
}

describe('the page of an audit', () => {
  it('counts faults, and names the command that repairs the read tables', () => {
    const text = page([missing('trips'), missing('trips'), missing('daily_rollups')]);
    expect(text).toContain('3 faults found.');
    expect(text).toContain('`milepost replay start trips,daily_rollups --promote`');
  });

  it('promises no repair of what no replay mends', () => {
    const text = page([{ ...missing('trips'), check: 'stalled_projector' }]);
    expect(text).toContain('1 fault found.');
    expect(text).not.toContain('milepost replay');
    expect(page([])).toContain('nothing is wrong.');
  });
});
