import { EXCELLENT_FROM, FAIR_FROM, GOOD_FROM } from '@milepost/domain/score';
import UPlot from 'uplot';
import { dateText } from '../../shared/calendar-text.ts';
import { type Chart, drawChart } from '../../shared/chart.ts';
import { colourOf } from '../../shared/colours.ts';

interface WeekScore {
  monday: string;
  score: number | null;
}

const HEIGHT_PIXELS = 240;
const BANDS = [
  ['poor', 0, FAIR_FROM],
  ['fair', FAIR_FROM, GOOD_FROM],
  ['good', GOOD_FROM, EXCELLENT_FROM],
  ['excellent', EXCELLENT_FROM, 100],
] as const;

/** A date from epoch seconds. */
function isoDate(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
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

function make(element: HTMLElement, width: number, weeks: readonly WeekScore[]): UPlot {
  const ink = colourOf(element, '--quiet');
  const accent = colourOf(element, '--accent');
  const axis = { stroke: ink, grid: { show: false }, ticks: { stroke: ink, width: 1, size: 4 } };
  return new UPlot(
    {
      width,
      height: HEIGHT_PIXELS,
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      scales: { y: { range: [0, 100] } },
      axes: [
        { ...axis, values: (_chart, splits) => splits.map((at) => dateText(isoDate(at)).slice(0, -5)), space: 70 },
        { ...axis, splits: () => [0, FAIR_FROM, GOOD_FROM, EXCELLENT_FROM, 100], size: 44 },
      ],
      series: [
        {
          label: 'Week of',
          value: (_chart, at) => (at === null ? '–' : dateText(isoDate(at))),
        },
        {
          label: 'Score',
          stroke: accent,
          width: 2,
          spanGaps: false,
          points: { show: true, size: 7, fill: accent },
          value: (_chart, score) => (score === null ? '–' : score.toFixed(1)),
        },
      ],
      cursor: { y: false },
      hooks: { drawClear: [(chart) => drawBands(chart, element)] },
    },
    [weeks.map(({ monday }) => Date.parse(monday) / 1_000), weeks.map(({ score }) => score)],
    element,
  );
}

/** Draws scores by week over the bands of the grades. */
export function drawScores(element: HTMLElement, weeks: readonly WeekScore[]): Chart {
  return drawChart(element, HEIGHT_PIXELS, (width) => make(element, width, weeks));
}
