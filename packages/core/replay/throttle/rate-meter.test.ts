import { expect, it, vi } from 'vitest';
import { RateMeter } from './rate-meter.ts';

/** Returns a meter and a function that adds trips to it after some milliseconds. */
function started() {
  let now = 5_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const meter = new RateMeter();
  const after = (milliseconds: number, trips: number) => {
    now += milliseconds;
    meter.add(trips);
  };
  return { meter, after };
}

it('the measured rate of a replay is in trips per second, and known before the first two seconds have passed', () => {
  const { meter, after } = started();
  expect(meter.rates()).toEqual({ current: null, slowest: null, fastest: null });
  after(250, 0);
  expect(meter.rates()).toEqual({ current: null, slowest: null, fastest: null });
  after(250, 100);
  expect(meter.rates()).toEqual({ current: 200, slowest: null, fastest: null });
});

it('the measured rate of a replay counts the trips of each two seconds once', () => {
  const { meter, after } = started();
  after(1_999, 100);
  after(1, 300);
  expect(meter.rates().current).toBe(200);
  after(4_000, 1_200);
  expect(meter.rates().current).toBe((200 + 300) / 2);
});

it('the measured rate of a replay has a range only after three measurements, and keeps it for a minute', () => {
  const { meter, after } = started();
  after(2_000, 2);
  after(2_000, 2_000);
  expect(meter.rates()).toMatchObject({ slowest: null, fastest: null });
  after(2_000, 20);
  expect(meter.rates()).toMatchObject({ slowest: 1, fastest: 1_000 });
  for (let window = 0; window < 27; window += 1) after(2_000, 20);
  expect(meter.rates()).toMatchObject({ slowest: 1, fastest: 1_000 });
  after(2_000, 20);
  expect(meter.rates()).toMatchObject({ slowest: 10, fastest: 1_000 });
  after(2_000, 20);
  expect(meter.rates()).toMatchObject({ slowest: 10, fastest: 10 });
});

it('the measured rate of a replay is the mean of the last five measurements', () => {
  const { meter, after } = started();
  for (const trips of [9_000, 2, 4, 6, 8, 10]) after(2_000, trips);
  expect(meter.rates().current).toBe(3);
});
