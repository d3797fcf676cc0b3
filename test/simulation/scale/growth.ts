import { estimate, type Load, STANDARD_TRIP } from '../../../apps/cli/size/capacity.ts';
import { simulateDay } from './day.ts';

/**
 * Each load has a rate and a retention period in days. The rate is a multiple of the rate that a machine with two
 * processors has sustained.
 */
const LOADS = [
  { multiple: 1, daysKept: 1 },
  { multiple: 10, daysKept: 1 },
  { multiple: 100, daysKept: 1 },
  { multiple: 10, daysKept: 400 },
];
const PEAK_FACTOR = 4;

/** Returns a load of standard trips whose rate in the busiest hour is `multiple` times the measured rate. */
function loadOf(multiple: number, daysKept: number): Load {
  const tripsPerDay = (multiple * STANDARD_TRIP.tripsPerSecond * 86_400) / PEAK_FACTOR;
  return { tripsPerDay, pointsPerTrip: STANDARD_TRIP.points, daysKept, peakFactor: PEAK_FACTOR };
}

const COUNT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** Returns a table that shows how the deployments recommended by `milepost size` cope with each load. */
export function growthTable(): string {
  const header = [
    'load',
    'processors',
    'ingest',
    'projectors',
    'lanes',
    'first limit',
    'its use',
    'greatest lag',
    'sustained',
  ];
  const rows = LOADS.map(({ multiple, daysKept }) => {
    const load = loadOf(multiple, daysKept);
    const { processors, ingest_processes, projector_processes, lanes } = estimate(load);
    const { limit, use, maxLagSeconds, isSustained } = simulateDay(estimate(load), load);
    return [
      `${multiple} x, ${daysKept === 1 ? '1 day' : `${daysKept} days`}: \`milepost size\``,
      ...[processors, ingest_processes, projector_processes, lanes].map((count) => COUNT.format(count)),
      limit,
      `${COUNT.format(use * 100)}%`,
      `${COUNT.format(maxLagSeconds)} s`,
      isSustained ? 'yes' : 'no',
    ];
  });
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n').replaceAll(' --- ', '---');
}
