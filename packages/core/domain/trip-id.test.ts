import { expect, it } from 'vitest';
import { tripId } from './trip-id.ts';

it('tripId never changes, because stored trips and clients refer to it', () => {
  // printf 'acme/trip-1' | sha256sum | cut -c1-32
  expect(tripId('acme', 'trip-1')).toBe('c3fc9d261532a378163d1b92683f483b');
  // printf 'acme/é🚚' | sha256sum | cut -c1-32
  expect(tripId('acme', 'é🚚')).toBe('157d94dfb8abf809276f43c47fe3f955');
});

it('tripId differs for trips whose fleet and source ids are similar, alone or concatenated', () => {
  expect(tripId('a', 'b/c')).not.toBe(tripId('a-b', 'c'));
  expect(tripId('acme', '1')).not.toBe(tripId('acme', '01'));
  expect(tripId('acme', '1')).not.toBe(tripId('Acme', '1'));
});
