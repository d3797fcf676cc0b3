import UPlot from 'uplot';
import { type Chart, drawChart } from '../../shared/chart.ts';
import { colourOf } from '../../shared/colours.ts';

const HEIGHT_PIXELS = 110;
const GAP_SECONDS = 10;
const SHOWN_SECONDS = 300;

/** Draws the last five minutes of a figure as a line chart whose vertical axis starts at 0. */
export function drawRates(element: HTMLElement, unit: string): Chart {
  return drawChart(element, HEIGHT_PIXELS, (width) => {
    const ink = colourOf(element, '--quiet');
    const line = colourOf(element, '--line');
    const accent = colourOf(element, '--accent');
    const axis = { stroke: ink, ticks: { show: false }, font: '11px system-ui' };
    return new UPlot(
      {
        width,
        height: HEIGHT_PIXELS,
        legend: { show: false },
        cursor: { show: false },
        tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
        scales: {
          x: {
            range: (_chart, _first, last) => {
              const end = last ?? Date.now() / 1_000;
              return [end - SHOWN_SECONDS, end];
            },
          },
          y: { range: (_chart, _min, max) => [0, Math.max(1, (max ?? 0) * 1.15)] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            space: 70,
            size: 22,
            values: [[1, '{HH}:{mm}:{ss}', null, null, null, null, null, null, 1]],
          },
          { ...axis, grid: { stroke: line, width: 1 }, space: 26, size: 46 },
        ],
        series: [
          {},
          {
            label: unit,
            stroke: accent,
            width: 1.5,
            points: { show: false },
            // A time without a connection is a gap.
            gaps: (chart, _series, from, to) => {
              const times = chart.data[0];
              const gaps: [number, number][] = [];
              for (let index = from + 1; index <= to; index += 1) {
                const [before = 0, after = 0] = [times[index - 1], times[index]];
                if (after - before > GAP_SECONDS)
                  gaps.push([chart.valToPos(before, 'x', true), chart.valToPos(after, 'x', true)]);
              }
              return gaps;
            },
          },
        ],
      },
      [[], []],
      element,
    );
  });
}
