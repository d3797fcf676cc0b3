import { useEffect, useRef } from 'preact/hooks';
import type { Chart } from '../../shared/chart.ts';
import { type Digits, decimal, NONE } from '../../shared/format.ts';
import { OnDemand } from '../../shared/on-demand.tsx';
import { observations } from './follow-status.ts';

interface FigureProps {
  title: string;
  unit: string;
  /** The current value; null if it is unknown. */
  now: number | null;
  /** The value in each observation, or null where it is missing. */
  values: readonly (number | null)[];
  digits?: Digits;
}

/** A current value, and a chart of the last five minutes. */
export function FigureChart({ title, unit, now, values, digits = 0 }: FigureProps) {
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
        label={`${title} in the last five minutes`}
        className="rates"
        role="img"
        version={title}
        load={async () => (await import('./rate-chart.ts')).drawRates}
        onDrawn={(drawn) => {
          chart.current = drawn;
          show();
        }}
      />
    </section>
  );
}
