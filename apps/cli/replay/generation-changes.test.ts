import { expect, it } from 'vitest';
import { generationChanges } from './table.ts';

it('generationChanges names the current and the new generation of each projection', () => {
  const live = new Map([
    ['trips', 3],
    ['drivers', 4],
  ]);
  const wanted = [
    { projection: 'trips', generation: 2 },
    { projection: 'drivers', generation: 3 },
  ];
  expect(generationChanges(live, wanted)).toBe('trips: 3 -> 2, drivers: 4 -> 3');
});

it('generationChanges says that a projection has no live generation', () => {
  expect(generationChanges(new Map(), [{ projection: 'trips', generation: 2 }])).toBe('trips: none -> 2');
});
