import * as echarts from 'echarts';
import { type Goal, type Row, shown } from './results.ts';

const WIDTH = 1200;
const ROW_HEIGHT = 52;
const TOP = 110;
const BOTTOM = 60;
/** The width of the descriptions on the left. `RIGHT` is the width of the labels to the right of the longest bar. */
const LEFT = 430;
const RIGHT = 250;
const TEXT = '#1f2933';
const FAINT = '#616e7c';
const REACHED = '#2a6f97';
const MISSED = '#c8553d';
/** The axis has these steps within each power of ten. */
const STEPS = [1, 2, 5];

/** How many characters fit in each line of a two-line description on the left. */
const LINE_CHARACTERS = 54;

type Judged = Row & { goal: Goal };

/** Returns the rows that have a goal, because only these can be drawn. */
function judged(rows: readonly Row[]): Judged[] {
  return rows.flatMap((row) => (row.goal === null ? [] : [{ ...row, goal: row.goal }]));
}

/** The limit of the axis. A row may be even better: 0 is infinitely many times better than its goal. */
const MAX_TIMES = 1_000;

/**
 * Returns how many times better a row is than its goal, but at most `MAX_TIMES`. At 1, the row meets its goal, and
 * above 1 it is better.
 */
function timesBetter({ ratio, goal }: Pick<Judged, 'ratio' | 'goal'>): number {
  const times = goal.is === 'at least' ? ratio / goal.value : goal.value / ratio;
  return Math.min(Math.max(times, 1 / MAX_TIMES), MAX_TIMES);
}

function labelOf(row: Judged): string {
  const unit = row.against === null ? ` ${row.unit}` : ' x';
  const sign = row.goal.is === 'at least' ? '≥' : '≤';
  return `${row.reached ? '✓' : '✗ MISSED'}  ${shown(row.ratio)}${unit}  (goal ${sign} ${shown(row.goal.value)}${unit})`;
}

/** Returns a description in at most two lines, and below it the unit and the reference. */
function namesOf({ work, unit, against }: Judged): string {
  const at = work.length > LINE_CHARACTERS ? work.lastIndexOf(' ', LINE_CHARACTERS) : -1;
  const lines = at < 0 ? [work] : [work.slice(0, at), work.slice(at + 1)];
  return [
    ...lines.map((line) => `{work|${line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}…` : line}}`),
    `{unit|${unit}${against ? ` against ${against.name}` : ''}}`,
  ].join('\n');
}

/**
 * Returns the exponents of the axis ticks, which are 1, 2 and 5 in each power of ten, from at most half the goal to the
 * best row.
 */
function ticksOf(exponents: readonly number[]): number[] {
  const lowest = Math.min(Math.log10(0.5), ...exponents);
  const highest = Math.max(Math.log10(2), ...exponents);
  const first = Math.floor(lowest);
  const powers = Array.from({ length: Math.ceil(highest) - first + 1 }, (_, index) => first + index);
  const ticks = powers.flatMap((power) => STEPS.map((step) => power + Math.log10(step)));
  const isNear = (tick: number, index: number) =>
    (ticks[index + 1] ?? tick) > lowest && (index === 0 || (ticks[index - 1] ?? tick) < highest);
  return ticks.filter(isNear);
}

/**
 * Draws rows as an SVG. Each row is a bar on a logarithmic axis that shows how many times better the row is than its
 * goal.
 *
 * @param note the environment of the measurements, which is shown below the title
 */
export function plot(rows: readonly Row[], note: string): string {
  const drawn = judged(rows);
  const exponents = drawn.map((row) => Math.log10(timesBetter(row)));
  const ticks = ticksOf(exponents);
  const series = (name: string, color: string, isReached: boolean): echarts.BarSeriesOption => ({
    name,
    type: 'bar',
    color,
    barWidth: 14,
    barGap: '-100%',
    data: drawn.map((row, index) => (row.reached === isReached ? (exponents[index] ?? '-') : '-')),
    label: {
      show: true,
      position: 'right',
      distance: 8,
      color: isReached ? TEXT : MISSED,
      fontWeight: isReached ? 'normal' : 'bold',
      fontSize: 12,
      formatter: ({ dataIndex }) => labelOf(drawn[dataIndex] ?? missingRow(dataIndex)),
    },
  });
  const goalLine = {
    silent: true,
    symbol: 'none',
    lineStyle: { color: TEXT, width: 2, type: 'solid' },
    label: { show: false },
    data: [{ xAxis: 0 }],
  } as const;
  const chart = echarts.init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: WIDTH,
    height: TOP + BOTTOM + ROW_HEIGHT * drawn.length,
  });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: 'sans-serif', color: TEXT },
    title: {
      text: 'How many times better than the goal',
      subtext: note,
      left: 20,
      top: 14,
      textStyle: { color: TEXT, fontSize: 18 },
      subtextStyle: { color: FAINT, fontSize: 12 },
    },
    legend: {
      top: 74,
      left: LEFT,
      itemWidth: 14,
      itemHeight: 14,
      itemGap: 40,
      data: ['✓ goal reached', '✗ goal missed'],
    },
    grid: { left: LEFT, right: RIGHT, top: TOP, bottom: BOTTOM },
    xAxis: {
      type: 'value',
      min: ticks[0] ?? 0,
      max: ticks.at(-1) ?? 1,
      name: 'worse  ←  times better than the goal (logarithmic)  →  better',
      nameLocation: 'middle',
      nameGap: 32,
      nameTextStyle: { color: FAINT },
      axisLabel: {
        customValues: ticks,
        color: FAINT,
        formatter: (exponent: number) => (exponent === 0 ? '1 = goal' : shown(10 ** exponent)),
      },
      axisTick: { show: true, customValues: ticks },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      axisLine: { show: false },
      axisTick: { show: false },
      data: drawn.map(namesOf),
      axisLabel: {
        margin: 14,
        rich: {
          work: { color: TEXT, fontSize: 12, lineHeight: 15 },
          unit: { color: FAINT, fontSize: 11, lineHeight: 14 },
        },
      },
    },
    series: [
      { ...series('✓ goal reached', REACHED, true), markLine: goalLine },
      series('✗ goal missed', MISSED, false),
    ],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

function missingRow(index: number): never {
  throw new Error(`Row ${index} does not exist.`);
}
