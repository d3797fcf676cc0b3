import type { Command } from 'commander';
import { examples } from '../../arguments.ts';
import { addDriver } from './driver.ts';
import { addTrip } from './trip.ts';

/** `milepost trace`: from an answer back to the records behind it. */
export function addTrace(program: Command): void {
  const trace = program
    .command('trace')
    .description('Show every stored event behind an answer, with the duplicates and dead letters about it.')
    .helpCommand(false)
    .addHelpText(
      'after',
      examples(
        'milepost trace trip 0f4a6b1c9d2e8f70a1b2c3d4e5f60718',
        'milepost trace driver sunrise-delivery driver-0007 2025-01-31',
      ),
    );
  addTrip(trace);
  addDriver(trace);
}
