import { describe, expect, it } from 'vitest';
import { UsageError } from '../../failure.ts';
import { chosen, moment } from './filters.ts';

describe('moment', () => {
  it('takes a day in UTC, and a time with its zone', () => {
    expect(moment('2025-01-31').toISOString()).toBe('2025-01-31T00:00:00.000Z');
    expect(moment('2025-01-31T08:00:00+02:00').toISOString()).toBe('2025-01-31T06:00:00.000Z');
    expect(moment('2025-01-31T08:00Z').toISOString()).toBe('2025-01-31T08:00:00.000Z');
  });

  it.each(['yesterday', '2025-02-30', '2025-01-31T08:00:00', '2025', ''])('refuses %j', (text) => {
    expect(() => moment(text)).toThrow('such as 2025-01-31');
  });
});

describe('the choice of dead letters', () => {
  it('is ids, each once, or all open ones that match', async () => {
    expect(await chosen([3, 1, 3], {})).toEqual({ ids: [3, 1] });
    expect(await chosen([], { allOpen: true, partition: 0 })).toEqual({ filter: { partition: 0 } });
  });

  it('is never guessed: nothing, both, and a filter without --all-open are refused', async () => {
    await expect(chosen([], {})).rejects.toThrow(UsageError);
    await expect(chosen([1], { allOpen: true })).rejects.toThrow(UsageError);
    await expect(chosen([1], { source: 'trips' })).rejects.toThrow('--source goes with --all-open');
    await expect(chosen([], { allOpen: true, reason: 'bad_luck' })).rejects.toThrow('--reason must be one of');
  });
});
