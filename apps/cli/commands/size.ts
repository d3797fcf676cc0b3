import type { Command } from 'commander';
import { examples, wholeNumber } from '../arguments.ts';
import { printJson, printTable } from '../output.ts';

const NOTES = `
The estimate is calculated from the benchmarks in docs/performance.md. docs/scale.md describes the model, its limits, and
how to grow from one server to many lanes. Measure with your own records before you buy machines.`;

interface Options {
  tripsPerDay: number;
  points: number;
  days: number;
  peak: number;
  json?: true;
}

/** Adds `milepost size`, which estimates processes, partitions, disk and memory for a given load. */
export function addSize(program: Command): void {
  program
    .command('size')
    .description('Estimate processes, partitions, lanes, disk and memory for a number of trips.')
    .requiredOption('--trips-per-day <number>', 'trips per day, in all fleets', wholeNumber(1))
    .option('--points <number>', 'trail points of an average trip', wholeNumber(0, 20_000), 300)
    .option('--days <number>', 'number of days for which trips are kept', wholeNumber(1, 36_500), 400)
    .option(
      '--peak <factor>',
      'trips in the busiest hour, as a multiple of those in an average hour',
      wholeNumber(1, 24),
      4,
    )
    .option('--json', 'print the estimate as JSON')
    .addHelpText('after', NOTES)
    .addHelpText('after', examples('milepost size --trips-per-day 1000000 --points 600 --days 730'))
    .action(async ({ tripsPerDay, points, days, peak, json }: Options) => {
      const { estimate, sizeRows } = await import('../size/capacity.ts');
      const capacity = estimate({ tripsPerDay, pointsPerTrip: points, daysKept: days, peakFactor: peak });
      if (json) printJson(capacity);
      else printTable(['resource', 'estimate'], sizeRows(capacity));
    });
}
