import 'uplot/dist/uPlot.min.css';
import { effect } from '@preact/signals';
import type UPlot from 'uplot';
import { followColours } from './colours.ts';
import { isPrinting } from './printing.ts';

/** A chart in an element, to be given new data, and ended. */
export interface Chart {
  setData: (data: UPlot.AlignedData) => void;
  end: () => void;
}

/** Draws a chart, anew when the colours change, and at another size when its width does. */
export function drawChart(element: HTMLElement, heightPixels: number, make: (width: number) => UPlot): Chart {
  let chart = make(element.clientWidth);
  const fit = () => chart.setSize({ width: element.clientWidth, height: heightPixels });
  const sizes = new ResizeObserver(fit);
  sizes.observe(element);
  const forgetColours = followColours(() => {
    const { data } = chart;
    chart.destroy();
    chart = make(element.clientWidth);
    chart.setData(data);
  });
  // Nothing observes the size of paper.
  const forgetPrinting = effect(() => {
    element.classList.toggle('on-paper', isPrinting.value);
    fit();
  });
  return {
    setData: (data) => chart.setData(data),
    end: () => {
      sizes.disconnect();
      forgetColours();
      forgetPrinting();
      chart.destroy();
    },
  };
}
