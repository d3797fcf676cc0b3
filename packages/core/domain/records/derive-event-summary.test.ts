import { expect, it } from 'vitest';
import { tripEvent } from '../../../../test/support/records.ts';
import type { TripEventType } from '../vocabulary.ts';
import { deriveEventSummary } from './parse.ts';

const lasting = (milliseconds: number, type: TripEventType) => tripEvent(type, 1_736_928_000_000, milliseconds);

it('deriveEventSummary counts each type, if any, and adds up only the seconds of phone use and overspeeding', () => {
  const phoneUses = [1_001, 2_002, 3_003].map((milliseconds) => lasting(milliseconds, 7));
  const others = [lasting(5_000, 2), lasting(5_000, 1), lasting(250, 9), lasting(5_000, 2), lasting(0, 9)];
  expect(deriveEventSummary([...others, ...phoneUses])).toEqual({
    phone_use_count: 3,
    rapid_acceleration_count: 1,
    hard_brake_count: 2,
    overspeeding_count: 2,
    phone_use_time_seconds: 6.006,
    overspeeding_time_seconds: 0.25,
  });
  expect(Object.values(deriveEventSummary([]))).toEqual([0, 0, 0, 0, 0, 0]);
});

it('deriveEventSummary returns the same seconds for every order of the trip events', () => {
  const events = [lasting(100, 7), lasting(200, 7), lasting(300, 7)];
  expect(deriveEventSummary(events)).toEqual(deriveEventSummary(events.toReversed()));
  expect(deriveEventSummary(events).phone_use_time_seconds).toBe(0.6);
});

it('deriveEventSummary counts a trip event that ends before it starts, with zero seconds', () => {
  const events = [lasting(3_000, 7), lasting(-5_000, 7), lasting(-1, 9), lasting(0, 9)];
  expect(deriveEventSummary(events)).toMatchObject({
    phone_use_count: 2,
    overspeeding_count: 2,
    phone_use_time_seconds: 3,
    overspeeding_time_seconds: 0,
  });
});
