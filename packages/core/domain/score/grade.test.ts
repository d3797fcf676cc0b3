import { expect, it } from 'vitest';
import { gradeOf, roundToOneDecimal } from './score-driving.ts';

it.each([
  [73.75, 73.8],
  [73.74999999999999, 73.8], // This sum of doubles is 73.75 in exact arithmetic.
  [73.7499999999995, 73.8], // The thirteenth significant digit is noise; the twelfth is not.
  [73.7499999995, 73.7],
  [73.7499, 73.7],
  [0.05, 0.1],
  [1.005, 1],
  [84.95, 85],
  [84.9499, 84.9],
  [1.25, 1.3],
  [100, 100],
  [100.00000000000001, 100],
  [-0.25, -0.3],
  [-0.04, 0],
  [-1e-14, 0],
  [0, 0],
])('roundToOneDecimal rounds %d to %d', (value, expected) => {
  expect(roundToOneDecimal(value)).toBe(expected);
});

it.each([
  [100, 'excellent'],
  [85, 'excellent'],
  [84.9, 'good'],
  [70, 'good'],
  [69.9, 'fair'],
  [50, 'fair'],
  [49.9, 'poor'],
  [0, 'poor'],
])('gradeOf returns for the score %d the grade %s', (score, grade) => {
  expect(gradeOf(score)).toBe(grade);
});
