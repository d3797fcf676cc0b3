import { estimate, type Load, MAX_BUSY_SHARE, STANDARD_TRIP } from '../../../apps/cli/size/capacity.ts';
import { type Day, type Deployment, type Part, simulateDay } from './day.ts';

/**
 * Each load is a multiple of the rate that one machine with two processors has sustained, with the number of days that
 * are kept.
 */
const LOADS = [
  { multiple: 1, daysKept: 1 },
  { multiple: 10, daysKept: 1 },
  { multiple: 100, daysKept: 1 },
  { multiple: 10, daysKept: 400 },
];
const PEAK_FACTOR = 4;

/** One of each part. The same two processors run all of them. */
const ONE_MACHINE: Deployment = {
  processors: 2,
  ingest_processes: 1,
  projector_processes: 1,
  partitions: 6,
  lanes: 1,
};

/** A deployment and its simulated day. */
interface Step {
  deployment: Deployment;
  day: Day;
}

/** Which resource to add when a part is the limit. */
const REMEDIES: Readonly<Record<Part, keyof Deployment>> = {
  processors: 'processors',
  'network to ingest': 'ingest_processes',
  'ingest processes': 'ingest_processes',
  'log heads of the lanes': 'lanes',
  'disk writes of the lanes': 'lanes',
  'disk space of the lanes': 'lanes',
  'projector processes': 'projector_processes',
  'folds of the lanes': 'lanes',
};

/** Adds so much of a resource that its part becomes half busy. A disk may be full on the last day. */
function addTo(deployment: Deployment, { limit, use }: Day): Deployment {
  const resource = REMEDIES[limit];
  const maxUse = limit === 'disk space of the lanes' ? 1 : MAX_BUSY_SHARE;
  const grown = { ...deployment, [resource]: Math.ceil((deployment[resource] * use) / maxUse) };
  return { ...grown, partitions: Math.max(grown.partitions, 2 * grown.ingest_processes) };
}

/**
 * Simulates days, starting with one machine. After each day, the limiting resource grows, until the deployment sustains
 * the load.
 */
function grow(load: Load): Step[] {
  const steps: Step[] = [];
  for (let deployment = ONE_MACHINE; !steps.at(-1)?.day.isSustained; ) {
    const day = simulateDay(deployment, load);
    steps.push({ deployment, day });
    deployment = addTo(deployment, day);
  }
  return steps;
}

/** Returns a load whose busiest hour has a multiple of the measured rate of standard trips. */
function loadOf(multiple: number, daysKept: number): Load {
  const tripsPerDay = (multiple * STANDARD_TRIP.tripsPerSecond * 86_400) / PEAK_FACTOR;
  return { tripsPerDay, pointsPerTrip: STANDARD_TRIP.points, daysKept, peakFactor: PEAK_FACTOR };
}

const COUNT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** Returns a duration in a suitable unit. */
function duration(seconds: number): string {
  return seconds > 3_600 ? `${COUNT.format(seconds / 3_600)} h` : `${COUNT.format(seconds)} s`;
}

function cellsOf(name: string, { deployment, day }: Step): string[] {
  const { processors, ingest_processes, projector_processes, lanes } = deployment;
  return [
    name,
    ...[processors, ingest_processes, projector_processes, lanes].map((count) => COUNT.format(count)),
    day.limit,
    `${COUNT.format(day.use * 100)} %`,
    duration(day.maxLagSeconds),
    day.isSustained ? 'yes' : 'no',
  ];
}

/** Returns a table that shows how to grow from one machine to each load, and what `milepost size` recommends for it. */
export function growthTable(): string {
  const resources = ['processors', 'ingest', 'projectors', 'lanes'];
  const header = ['load', ...resources, 'first limit', 'its use', 'greatest lag', 'sustained'];
  const rows = LOADS.flatMap(({ multiple, daysKept }) => {
    const load = loadOf(multiple, daysKept);
    const name = `${multiple} x, ${daysKept === 1 ? '1 day' : `${daysKept} days`}`;
    const deployment = estimate(load);
    const recommended = { deployment, day: simulateDay(deployment, load) };
    return [...grow(load).map((step) => cellsOf(name, step)), cellsOf(`${name}: \`milepost size\``, recommended)];
  });
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n').replaceAll(' --- ', '---');
}
