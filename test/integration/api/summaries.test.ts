import { beforeAll, describe, expect, it } from 'vitest';
import { DailySummaries, WeeklySummaries } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

/** 2025-01-13 is a Monday. In this world, today is Monday, 2025-01-20. */
const at = (day: number, hour = 8) => Date.UTC(2025, 0, day, hour);

describeWithPostgres('GET /api/v1/driver-aggregate/...', () => {
  const world = perSuite(createWorld);

  beforeAll(async () => {
    await world.take([
      driverProfile({ driver_id: 'ada' }),
      // The first two trips start in the first and in the last millisecond of a day.
      ...[at(13, 0), at(14, 0) - 1, at(15), at(19), at(20), at(21)].map((start, index) =>
        tripProcessed({
          source_trip_id: `ada-${index}`,
          driver_id: 'ada',
          trip_start_time: start,
          // Binary floating point cannot represent this sum exactly.
          distance_miles: index % 2 === 0 ? 0.1 : 0.7,
          duration_seconds: 100 * (index + 1),
        }),
      ),
      driverProfile({ driver_id: 'idle' }),
    ]);
  });

  const daily = async (query: string) =>
    contentOf(await world.get(`/api/v1/driver-aggregate/daily?${query}`), DailySummaries).data;
  const weekly = async (query: string) =>
    contentOf(await world.get(`/api/v1/driver-aggregate/weekly?${query}`), WeeklySummaries).data;

  describe('daily', () => {
    it('sums up exactly the trips that start on the UTC day, and never splits a trip at midnight', async () => {
      const [element] = await daily('start_date=2025-01-13&driver_id=ada');
      expect(element?.driving_summary).toMatchObject({
        date: '2025-01-13',
        trip_count: 2,
        distance_miles: 0.8,
        duration_seconds: 300,
        events_summary: {
          ...tripProcessed().event_summary,
          ...{ hard_brake_count: 2, overspeeding_count: 2, overspeeding_time_seconds: 120 },
        },
      });
      expect(element?.driver_info).toMatchObject({
        driver_id: 'ada',
        first_name: 'Ada',
        first_travel_date: '2025-01-13',
        last_travel_date: '2025-01-21',
      });
    });

    it('includes a trip immediately: the 4-hour delay of the trip list does not apply to summaries', async () => {
      world.setTime(Date.UTC(2025, 0, 14, 0, 0, 1));
      const [yesterday] = await daily('start_date=2025-01-13&driver_id=ada');
      expect(yesterday?.driving_summary.trip_count).toBe(2);
    });
  });

  describe('weekly', () => {
    it('sums up the week from Monday to Sunday, and lists the days with trips in ascending order', async () => {
      const [element] = await weekly('start_date=2025-01-13&driver_id=ada');
      const { daily_summary_breakdown: days, ...totals } = element?.driving_summary ?? { daily_summary_breakdown: [] };
      expect(totals).toMatchObject({
        start_date: '2025-01-13',
        end_date: '2025-01-19',
        trip_count: 4,
        distance_miles: 1.6,
        duration_seconds: 1000,
      });
      expect(days.map((day) => day.date)).toEqual(['2025-01-13', '2025-01-15', '2025-01-19']);
      expect(totals).not.toHaveProperty('date');
      for (const day of days)
        expect((await daily(`start_date=${day.date}&driver_id=ada`))[0]?.driving_summary).toEqual(day);
    });

    it('includes the current week up to yesterday, in its totals and in its breakdown', async () => {
      world.setTime(at(21, 12));
      const [element] = await weekly('start_date=2025-01-20&driver_id=ada');
      expect(element?.driving_summary).toMatchObject({
        start_date: '2025-01-20',
        end_date: '2025-01-26',
        trip_count: 1,
        duration_seconds: 500,
      });
      expect(element?.driving_summary.daily_summary_breakdown.map((day) => day.date)).toEqual(['2025-01-20']);
      world.setTime(at(15, 12));
      const [unfinished] = await weekly('start_date=2025-01-13&driver_id=ada');
      expect(unfinished?.driving_summary).toMatchObject({ trip_count: 2, end_date: '2025-01-19' });
      world.setTime(at(22, 12));
      const [dayLater] = await weekly('start_date=2025-01-20&driver_id=ada');
      expect(dayLater?.driving_summary).toMatchObject({ trip_count: 2, duration_seconds: 1100 });
    });
  });

  describe.each(['daily', 'weekly'])('%s driver_id', (kind) => {
    const ask = async (query: string) =>
      await world.get(`/api/v1/driver-aggregate/${kind}?start_date=2025-01-13&${query}`);
    const ids = async (query: string) =>
      contentOf(await ask(query), kind === 'daily' ? DailySummaries : WeeklySummaries).data.map(
        ({ driver_info }) => driver_info.driver_id,
      );

    it("keeps the request's order, and lists a repeated driver only once, where it first appears", async () => {
      expect(await ids('driver_id=ada&driver_id=idle&driver_id=ada')).toEqual(['ada', 'idle']);
    });

    it('returns 404 and names all unknown drivers; a,b is the id of one driver', async () => {
      const problem = problemOf(await ask('driver_id=x&driver_id=ada&driver_id=y'), 404, 'driver_not_found');
      expect(problem.detail).toMatch(/"x".*"y"/);
      expect(problem.errors?.map(({ message }) => message)).toEqual([
        'The fleet has no driver "x".',
        'The fleet has no driver "y".',
      ]);
      expect(problemOf(await ask('driver_id=ada,idle'), 404, 'driver_not_found').detail).toContain('"ada,idle"');
    });
  });
});
