import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { MilepostClient, MilepostError } from '@milepost/client';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_TRIP_START, driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithWorld } from '../../support/world.ts';

/** More than two pages of 100. */
const ROWS = 203;
/** More than two pages of 5. */
const TRACKED = 11;
const MINUTE = 60_000;
/** The id of the sixth driver. It contains characters that must be encoded exactly once in an address. */
const SPECIAL_ID = 'driver 5/ä%2F';

/** Until the test ends, collects the status of each response that `fetch` receives. */
function watchStatuses(): number[] {
  const statuses: number[] = [];
  const note = (message: unknown) => void statuses.push(Object(message).response.statusCode);
  subscribe('undici:request:headers', note);
  onTestFinished(() => void unsubscribe('undici:request:headers', note));
  return statuses;
}

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'answered',
    (error: unknown) => (error instanceof MilepostError ? error.code : error),
  );
}

describeWithWorld('the API client', (world) => {
  let origin: string;
  let key: string;
  let client: MilepostClient;
  const driverIds = Array.from({ length: ROWS }, (_, index) => `driver ${index}/ä%2F`);
  const tripStarts = Array.from({ length: ROWS }, (_, index) => DEFAULT_TRIP_START + index * MINUTE);

  beforeAll(async () => {
    await world.take([
      ...driverIds.map((driver_id) => driverProfile({ driver_id })),
      ...tripStarts.map((trip_start_time, index) =>
        tripProcessed({
          driver_id: 'busy',
          source_trip_id: `trip-${index}`,
          trip_start_time,
          trip_end_time: trip_start_time + MINUTE,
          ...(index < TRACKED ? { tracking_id: 'pool car' } : {}),
        }),
      ),
      tripProcessed({ driver_id: SPECIAL_ID, source_trip_id: 'special', tracking_id: SPECIAL_ID }),
    ]);
    origin = await world.api.listen({ host: '127.0.0.1', port: 0 });
    key = await world.createKey('acme');
    client = new MilepostClient({ baseUrl: `${origin}/`, key });
  });

  it("yields every driver and every trip on all pages once, in the service's order", async () => {
    const statuses = watchStatuses();
    const given = (await Array.fromAsync(client.drivers())).map(({ driver_id }) => driver_id);
    expect(given).toEqual([...driverIds, 'busy']);
    expect(statuses).toEqual([200, 200, 200]);
    const trips = await Array.fromAsync(client.trips('busy', '2025-01-15'));
    expect(trips.map(({ trip_start_time }) => trip_start_time)).toEqual(tripStarts);
    const tracked = await Array.fromAsync(client.trackedTrips('pool car'));
    expect(tracked.map(({ trip_start_time }) => trip_start_time)).toEqual(tripStarts.slice(0, TRACKED));
    expect(await client.trip(tracked[0]?.trip_id ?? '')).toEqual(tracked[0]);
  });

  it('finds the trips of a driver id and of a tracking id with special characters', async () => {
    const trips = await Array.fromAsync(client.trips(SPECIAL_ID, '2025-01-15'));
    expect(trips).toHaveLength(1);
    const special = await Array.fromAsync(client.trackedTrips(SPECIAL_ID));
    expect(special.map(({ trip_id }) => trip_id)).toEqual(trips.map(({ trip_id }) => trip_id));
  });

  it('does not load a page until its first row is read', async () => {
    const statuses = watchStatuses();
    for await (const { driver_id } of new MilepostClient({ baseUrl: origin, key }).drivers()) {
      if (driver_id === driverIds[99]) break;
    }
    expect(statuses).toEqual([200]);
  });

  it('returns the summaries for a day and for a week in the order of the drivers', async () => {
    const ids = ['busy', driverIds[7] ?? ''];
    const days = await client.dailySummaries('2025-01-15', ids);
    const weeks = await client.weeklySummaries('2025-01-13', ids);
    for (const summaries of [days, weeks]) {
      expect(summaries.map(({ driver_info }) => driver_info.driver_id)).toEqual(ids);
      expect(summaries.map(({ driving_summary }) => driving_summary.trip_count)).toEqual([ROWS, 0]);
    }
  });

  it('sends the tag of a cached response, and returns that response after status 304', async () => {
    const own = new MilepostClient({ baseUrl: origin, key });
    const statuses = watchStatuses();
    const day = async () => await own.dailySummaries('2025-01-15', ['busy']);
    const first = await day();
    const again = await day();
    expect(again).toEqual(first);
    expect(statuses).toEqual([200, 304]);
    // The caller may change a response without affecting the next one.
    again.length = 0;
    expect(await day()).toEqual(first);
  });

  it('rejects with the code of the problem', async () => {
    const refused = new MilepostClient({ baseUrl: origin, key: 'mp_unknown' });
    expect(await codeOf(refused.drivers().next())).toBe('unauthorized');
    expect(await codeOf(client.trips('nobody', '2025-01-15').next())).toBe('driver_not_found');
    expect(await codeOf(client.trip('0'.repeat(32)))).toBe('trip_not_found');
    const nowhere = new MilepostClient({ baseUrl: 'http://127.0.0.1:9', key, maxRetries: 0 });
    expect(await codeOf(nowhere.drivers().next())).toBe('unreachable');
    const error: unknown = await client.weeklySummaries('2025-01-14', []).catch((reason: unknown) => reason);
    if (!(error instanceof MilepostError) || error.failure.code !== 'invalid_parameter') throw error;
    const { problem } = error.failure;
    expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(['start_date', 'driver_id']);
  });
});
