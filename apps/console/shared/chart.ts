import 'uplot/dist/uPlot.min.css';
import type UPlot from 'uplot';

/** A chart in an element, to be given new data, and ended. */
export interface Chart {
  setData: (data: UPlot.AlignedData) => void;
  end: () => void;
}

/** Draws a chart, and draws it anew when the theme changes, or its width does. */
export function drawChart(element: HTMLElement, heightPixels: number, make: (width: number) => UPlot): Chart {
  let chart = make(element.clientWidth);
  const redraw = () => {
    const { data } = chart;
    chart.destroy();
    chart = make(element.clientWidth);
    chart.setData(data);
  };
  const sizes = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: heightPixels }));
  sizes.observe(element);
  const themes = new MutationObserver(redraw);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', redraw);
  return {
    setData: (data) => chart.setData(data),
    end: () => {
      sizes.disconnect();
      themes.disconnect();
      dark.removeEventListener('change', redraw);
      chart.destroy();
    },
  };
}
