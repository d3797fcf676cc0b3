import type { WeeklySummary } from '@milepost/client';
import { EXCELLENT_FROM, FAIR_FROM, GOOD_FROM } from '@milepost/domain/score-figures';
import type UPlot from 'uplot';
import { dateText, isoText } from '../../shared/calendar-text.ts';
import { type Chart, drawChart } from '../../shared/chart.ts';
import { colourOf } from '../../shared/colours.ts';
import { NONE } from '../../shared/format.ts';
import { BANDS } from '../grade.tsx';

const HEIGHT_PIXELS = 240;
const MIN_SHOWN_SECONDS = 8 * 7 * 86_400;

/** The date at `seconds` since the epoch, such as `15 Jan 2025`. */
function dateAt(seconds: number): string {
  return dateText(isoText(seconds * 1_000)?.slice(0, 10) ?? '');
}

function drawBands(chart: UPlot, element: Element): void {
  const { ctx, bbox } = chart;
  ctx.save();
  for (const [grade, from, to] of BANDS) {
    const top = chart.valToPos(to, 'y', true);
    ctx.fillStyle = colourOf(element, `--${grade}-back`);
    ctx.fillRect(bbox.left, top, bbox.width, chart.valToPos(from, 'y', true) - top);
  }
  ctx.restore();
}

/** Draws each week's score in front of a coloured band for each grade. */
export function drawScores(
  element: HTMLElement,
  weeks: readonly Pick<WeeklySummary, 'start_date' | 'fm_score'>[],
): Chart {
  const times = weeks.map(({ start_date }) => Date.parse(start_date) / 1_000);
  const scores = weeks.map(({ fm_score }) => fm_score);
  return drawChart(element, HEIGHT_PIXELS, [times, scores], () => {
    const ink = colourOf(element, '--quiet');
    const accent = colourOf(element, '--accent');
    const axis = { stroke: ink, grid: { show: false }, ticks: { stroke: ink, width: 1, size: 4 } };
    return {
      scales: {
        // For a single week, uPlot would show a range of years.
        x: { range: (_chart, min, max) => [Math.min(min, max - MIN_SHOWN_SECONDS), max] },
        y: { range: [0, 100] },
      },
      axes: [
        { ...axis, values: (_chart, splits) => splits.map((at) => dateAt(at).slice(0, -5)), space: 70 },
        { ...axis, splits: () => [0, FAIR_FROM, GOOD_FROM, EXCELLENT_FROM, 100], size: 44 },
      ],
      series: [
        { label: 'Week of', value: (_chart, at) => (at === null ? NONE : dateAt(at)) },
        {
          label: 'Score',
          stroke: accent,
          width: 2,
          spanGaps: false,
          points: { show: true, size: 7, fill: accent },
          value: (_chart, score) => (score === null ? NONE : score.toFixed(1)),
        },
      ],
      cursor: { y: false },
      hooks: { drawClear: [(chart) => drawBands(chart, element)] },
    };
  });
}
