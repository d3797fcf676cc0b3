import { isMonday, parseCalendarDate, startOfDay } from '@milepost/domain/calendar';
import { describe, expect, it } from 'vitest';
import { retentionPolicies } from './policies.ts';

const at = (date: string) => Date.parse(`${date}T13:00:00Z`);

describe('what retention keeps', () => {
  it.each(['2026-11-21', '2024-02-29', '2025-08-31', '2025-01-01'])(
    'is every day that a summary can be asked for on %s, in whole weeks, and a month more',
    (today) => {
      const policies = retentionPolicies(at(today), null);
      expect(policies.map((policy) => policy.projection)).toEqual(['daily_rollups', 'weekly_rollups']);
      for (const { horizon } of policies) {
        expect(isMonday(horizon)).toBe(true);
        const days = (at(today) - startOfDay(horizon)) / 86_400_000;
        expect(days).toBeGreaterThan(181 + 30);
        expect(days).toBeLessThan(184 + 31 + 8);
      }
    },
  );

  it('are all trips, unless the operator says for how long', () => {
    const policies = retentionPolicies(at('2026-11-21'), 400);
    expect(
      policies
        .filter((policy) => policy.horizon === parseCalendarDate('2025-10-13'))
        .map((policy) => policy.projection),
    ).toEqual(['trips', 'trip_events', 'trail_paths']);
  });
});
