import { useEffect, useRef } from 'preact/hooks';
import type { Chart } from '../../shared/chart.ts';
import { type Digits, decimal, NONE } from '../../shared/format.ts';
import { OnDemand } from '../../shared/on-demand.tsx';
import { observations } from './follow-status.ts';

interface FigureProperties {
  title: string;
  unit: string;
  /** What is written large; null: not known yet. */
  now: number | null;
  /** By observation; null where there is none. */
  values: readonly (number | null)[];
  digits?: Digits;
}

/** A figure of this moment, and how it was in the last minutes. */
export function FigureChart({ title, unit, now, values, digits = 0 }: FigureProperties) {
  const chart = useRef<Chart | null>(null);
  const times = observations.value.map(({ at }) => at / 1_000);
  const show = () => chart.current?.setData([times, [...values]]);
  useEffect(show, [times.at(-1)]);
  return (
    <section class="figure">
      <h3>{title}</h3>
      <p class="large">
        {now === null ? NONE : decimal(now, digits)} <span>{unit}</span>
      </p>
      <OnDemand
        label={`${title} of the last minutes`}
        className="rates"
        role="img"
        version={title}
        load={async () => {
          const { drawRates } = await import('./rate-chart.ts');
          return (element) => drawRates(element, unit);
        }}
        onDrawn={(drawn) => {
          chart.current = drawn;
          show();
        }}
        end={(drawn) => {
          chart.current = null;
          drawn.end();
        }}
      />
    </section>
  );
}
