import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as figures from './figures.ts';
import { type DrivingTotals, gradeOf, scoreDriving } from './score-driving.ts';

const PAGE = readFileSync(new URL('../../../../docs/score.md', import.meta.url), 'utf8');
const FLAT = PAGE.replaceAll(/\s+/g, ' ');

/** Finds the last table row that begins with the cell `first`, and returns its cells. */
function cells(first: string): string[] {
  const row = PAGE.split('\n').findLast((line) => line.trim().startsWith(`| ${first} |`));
  return (row ?? '').split('|').map((cell) => cell.trim());
}

/** Returns the numbers that the expression captures in a sentence on the page. */
function numbers(sentence: RegExp): number[] {
  const found = sentence.exec(FLAT);
  return (found?.slice(1) ?? []).map(Number);
}

const EXAMPLE =
  /drove ([\d.]+) miles in (\d+) seconds, none of them at night\. There were (\d+) phone uses \(([\d.]+) seconds\), (\d+) overspeeding events \(([\d.]+) seconds\), (\d+) hard brake and (\d+) rapid accelerations/;

describe('the example of docs/score.md', () => {
  const [miles = 0, seconds = 0, uses = 0, useSeconds = 0, speedings = 0, speedingSeconds = 0, brakes = 0, rapid = 0] =
    numbers(EXAMPLE);
  const totals: DrivingTotals = {
    distance_miles: miles,
    duration_seconds: seconds,
    night_driving_seconds: 0,
    phone_use_count: uses,
    phone_use_time_seconds: useSeconds,
    overspeeding_count: speedings,
    overspeeding_time_seconds: speedingSeconds,
    hard_brake_count: brakes,
    rapid_acceleration_count: rapid,
  };
  const { areas, fm_score, fm_grade, focus } = scoreDriving(totals);
  const lost = 100 - figures.DRIVING_AREAS.reduce((sum, area) => sum - areas[area].points_lost, 100);

  it.each(figures.DRIVING_AREAS)('has the figures that the code computes for %s', (area) => {
    const { sub_score, points_lost } = areas[area];
    const [, , rates = '', exposure = '', sub, points] = cells(area);
    expect([sub, points]).toEqual([
      sub_score.toFixed(4),
      `${figures.WEIGHTS[area]} * ${(1 - sub_score / 100).toFixed(6)} = ${points_lost.toFixed(4)}`,
    ]);
    const exact = rates.matchAll(/([pr])\(([\d.]+)\) = ([\d.]+)/g).map(([, kind, given, rate]) => {
      const whole = kind === 'p' ? seconds + figures.CREDIBILITY_SECONDS : miles + figures.CREDIBILITY_MILES;
      expect(rate).toBe(((100 * Number(given)) / whole).toFixed(4));
      return (100 * Number(given)) / whole;
    });
    const divisors = exposure.matchAll(/\/ (\d+)/g).map(([, divisor]) => Number(divisor));
    const rate = [...exact];
    const sum = [...divisors].reduce((total, divisor, index) => total + (rate[index] ?? Number.NaN) / divisor, 0);
    expect(exposure).toMatch(new RegExp(`= ${sum.toFixed(4)}$`));
    expect(2 ** -sum * 100).toBeCloseTo(sub_score, 9);
  });

  it('has the score, grade and focus areas that the code computes', () => {
    expect(FLAT).toContain(
      `In total, ${lost.toFixed(4)} points are lost: 100 - ${lost.toFixed(4)} = ${(100 - lost).toFixed(4)}, so \`fm_score\` is ${fm_score}, and \`fm_grade\` is \`${fm_grade}\`.`,
    );
    expect(FLAT).toContain(`30% of which is ${(figures.FOCUS_SHARE_LOST * lost).toFixed(4)}. Phone costs`);
    expect(focus).toEqual({ is_phone_use: true, is_overspeeding: false, is_hard_brake: false, is_acceleration: false });
  });
});

describe('docs/score.md', () => {
  it('has the constants of the formula', () => {
    const exposures = Object.entries({
      phone: `p(PUs) / ${figures.PHONE_TIME_HALVING_PERCENT} + r(PU) / ${figures.PHONE_USE_HALVING_RATE}`,
      speed: `p(OSs) / ${figures.SPEED_TIME_HALVING_PERCENT} + r(OS) / ${figures.OVERSPEEDING_HALVING_RATE}`,
      brake: `r(HB) / ${figures.BRAKE_HALVING_RATE}`,
      acceleration: `r(RA) / ${figures.ACCELERATION_HALVING_RATE}`,
      night: `p(N) / ${figures.NIGHT_TIME_HALVING_PERCENT}`,
    } satisfies Record<figures.DrivingArea, string>);
    const weights: Readonly<Record<string, number>> = figures.WEIGHTS;
    for (const [area, exposure] of exposures) expect(PAGE).toContain(`| ${area} | ${exposure} | ${weights[area]} |`);
    expect(FLAT).toContain(`r(c) = 100 c / (D + ${figures.CREDIBILITY_MILES}).`);
    expect(FLAT).toContain(`p(s) = 100 min(s, T) / (T + ${figures.CREDIBILITY_SECONDS}).`);
    expect(FLAT).toContain(
      `at least ${figures.FOCUS_POINTS_LOST} points, and at least ${100 * figures.FOCUS_SHARE_LOST}% of`,
    );
    expect(FLAT).toContain(`Its sub-score is below ${figures.FOCUS_SUB_SCORE_BELOW}.`);
  });

  it('has the lowest score of each grade', () => {
    const grades = Array.from(PAGE.matchAll(/^\| `(\w+)` \| (\d+) \|$/gm), ([, grade, from]) => [grade, Number(from)]);
    expect(grades.map(([, from]) => from)).toEqual([figures.EXCELLENT_FROM, figures.GOOD_FROM, figures.FAIR_FROM, 0]);
    for (const [grade, from] of grades) expect(gradeOf(Number(from))).toBe(grade);
  });
});
