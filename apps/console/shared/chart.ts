import 'uplot/dist/uPlot.min.css';
import { effect } from '@preact/signals';
import UPlot from 'uplot';
import { observeColours } from './colours.ts';
import { isPrinting } from './printing.ts';

/**
 * Draws a chart whose times are in UTC, redraws it when the colours change, and resizes it with the element.
 *
 * @param optionsOf returns the chart's options in the current colours
 */
export function drawChart(
  element: HTMLElement,
  heightPixels: number,
  first: UPlot.AlignedData,
  optionsOf: () => Omit<UPlot.Options, 'width' | 'height' | 'tzDate'>,
) {
  const create = (data: UPlot.AlignedData) => {
    const tzDate = (seconds: number) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC');
    return new UPlot({ ...optionsOf(), width: element.clientWidth, height: heightPixels, tzDate }, data, element);
  };
  let chart = create(first);
  const resize = () => chart.setSize({ width: element.clientWidth, height: heightPixels });
  const observer = new ResizeObserver(resize);
  observer.observe(element);
  const stopColours = observeColours(() => {
    const { data } = chart;
    chart.destroy();
    chart = create(data);
  });
  // A ResizeObserver does not notice when printing changes the size.
  const stopPrinting = effect(() => {
    element.classList.toggle('on-paper', isPrinting.value);
    resize();
  });
  return {
    setData: (data: UPlot.AlignedData) => chart.setData(data),
    destroy: () => {
      observer.disconnect();
      stopColours();
      stopPrinting();
      chart.destroy();
    },
  };
}

export type Chart = ReturnType<typeof drawChart>;
