import { isCalendarDate, isMonday, startOfDay } from '@milepost/domain/calendar';
import { describe, expect, it } from 'vitest';
import { PROJECTIONS } from './projections.ts';

const at = (date: string) => Date.parse(`${date}T13:00:00Z`);

/** From which day on each projection keeps its rows, of those that do not keep all. */
function kept(today: string, detailDays: number | null): Map<string, string> {
  const all = PROJECTIONS.map(({ name, keepsFrom }) => [name, keepsFrom?.(at(today), detailDays) ?? null] as const);
  return new Map(all.flatMap(([name, day]) => (day === null ? [] : [[name, day]])));
}

describe('what retention keeps', () => {
  it.each(['2026-11-21', '2024-02-29', '2025-08-31', '2025-01-01'])(
    'is every day that a summary can be asked for on %s, in whole weeks, and a month more',
    (today) => {
      const policies = kept(today, null);
      expect([...policies.keys()].sort()).toEqual(['daily_rollups', 'weekly_rollups']);
      for (const cutoff of policies.values()) {
        if (!isCalendarDate(cutoff)) throw new Error(`${cutoff} is no date.`);
        expect(isMonday(cutoff)).toBe(true);
        const days = (at(today) - startOfDay(cutoff)) / 86_400_000;
        expect(days).toBeGreaterThan(181 + 30);
        expect(days).toBeLessThan(184 + 31 + 8);
      }
    },
  );

  it('are all trips, unless the operator says for how long', () => {
    const trips = [...kept('2026-11-21', 400)].filter(([, cutoff]) => cutoff === '2025-10-13');
    expect(trips.map(([name]) => name).sort()).toEqual(['trips']);
  });
});
