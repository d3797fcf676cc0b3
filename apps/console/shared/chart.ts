import 'uplot/dist/uPlot.min.css';
import { effect } from '@preact/signals';
import type UPlot from 'uplot';
import { observeColours } from './colours.ts';
import { isPrinting } from './printing.ts';

export interface Chart {
  setData: (data: UPlot.AlignedData) => void;
  destroy: () => void;
}

/** Draws a chart in an element, redraws it when the colours change, and resizes it with the element. */
export function drawChart(element: HTMLElement, heightPixels: number, create: (width: number) => UPlot): Chart {
  let chart = create(element.clientWidth);
  const resize = () => chart.setSize({ width: element.clientWidth, height: heightPixels });
  const observer = new ResizeObserver(resize);
  observer.observe(element);
  const stopColours = observeColours(() => {
    const { data } = chart;
    chart.destroy();
    chart = create(element.clientWidth);
    chart.setData(data);
  });
  // A ResizeObserver does not notice when printing changes the size.
  const stopPrinting = effect(() => {
    element.classList.toggle('on-paper', isPrinting.value);
    resize();
  });
  return {
    setData: (data) => chart.setData(data),
    destroy: () => {
      observer.disconnect();
      stopColours();
      stopPrinting();
      chart.destroy();
    },
  };
}
