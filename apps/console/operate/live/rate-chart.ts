import { type Chart, drawChart } from '../../shared/chart.ts';
import { colourOf } from '../../shared/colours.ts';
import { gapsBetween, timeRange, valueRange } from './chart-scales.ts';

const HEIGHT_PIXELS = 110;

/** Draws a value's last five minutes as a line chart whose vertical axis starts at 0. */
export function drawRates(element: HTMLElement): Chart {
  return drawChart(element, HEIGHT_PIXELS, [[], []], () => {
    const axis = { stroke: colourOf(element, '--quiet'), ticks: { show: false }, font: '11px system-ui' };
    return {
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { range: (_chart, _first, last) => timeRange(last ?? Date.now() / 1_000) },
        y: { range: (_chart, _min, max) => valueRange(max ?? 0) },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 70,
          size: 22,
          values: [[1, '{HH}:{mm}:{ss}', null, null, null, null, null, null, 1]],
        },
        { ...axis, grid: { stroke: colourOf(element, '--line'), width: 1 }, space: 26, size: 46 },
      ],
      series: [
        {},
        {
          stroke: colourOf(element, '--accent'),
          width: 1.5,
          points: { show: false },
          gaps: (chart, _series, from, to) =>
            gapsBetween(Array.from(chart.data[0].slice(from, to + 1))).map(([before, after]) => [
              chart.valToPos(before, 'x', true),
              chart.valToPos(after, 'x', true),
            ]),
        },
      ],
    };
  });
}
