import { isCalendarDate, isMonday, startOfDay } from '@milepost/domain/calendar';
import { describe, expect, it } from 'vitest';
import { PROJECTIONS } from './projections.ts';

const at = (date: string) => Date.parse(`${date}T13:00:00Z`);

/** Returns the first kept day of each projection that does not keep all rows. */
function kept(today: string, detailDays: number | null): Map<string, string> {
  const all = PROJECTIONS.map(({ name, keepsFrom }) => [name, keepsFrom?.(at(today), detailDays) ?? null] as const);
  return new Map(all.flatMap(([name, day]) => (day === null ? [] : [[name, day]])));
}

describe('the rows that retention keeps', () => {
  it.each(['2026-11-21', '2024-02-29', '2025-08-31', '2025-01-01'])(
    'cover, in whole weeks, every day for which a summary can be requested on %s, and one more month',
    (today) => {
      const policies = kept(today, null);
      expect([...policies.keys()].sort()).toEqual(['daily_rollups', 'weekly_rollups']);
      for (const cutoff of policies.values()) {
        if (!isCalendarDate(cutoff)) throw new Error(`${cutoff} is not a date.`);
        expect(isMonday(cutoff)).toBe(true);
        const days = (at(today) - startOfDay(cutoff)) / 86_400_000;
        expect(days).toBeGreaterThan(181 + 30);
        expect(days).toBeLessThan(184 + 31 + 8);
      }
    },
  );

  it.each([
    ['2026-11-21', '2026-04-20'],
    ['2026-11-20', '2026-04-13'],
  ])('begin, on %s, on the last Monday that is 31 days and six months earlier: %s', (today, monday) => {
    expect([...kept(today, null).values()]).toEqual([monday, monday]);
  });

  it.each([
    ['2026-11-17', '2025-10-13'],
    ['2026-11-16', '2025-10-06'],
  ])('include, on %s, the trips from the last Monday that is 400 days earlier: %s', (today, monday) => {
    const { trips, ...others } = Object.fromEntries(kept(today, 400));
    expect(trips).toBe(monday);
    // The limit that the operator sets applies only to trips.
    expect(others).toEqual(Object.fromEntries(kept(today, null)));
  });
});
