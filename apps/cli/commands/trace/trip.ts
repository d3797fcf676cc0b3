import type { TripTrace } from '@milepost/operations/lineage';
import type { Command } from 'commander';
import { examples, tripId } from '../../arguments.ts';
import { printJson } from '../../output/json.ts';
import { behindNote, placeOf, printEvents, printOthers, quoted, warnIncomplete } from './print.ts';

function printTrip(trace: TripTrace): void {
  const current = trace.stored_events.find((event) => event.position === trace.current_position);
  const subject = `Trip ${trace.trip_id} of the fleet ${trace.fleet_id}, at its source ${quoted(trace.source_trip_id ?? '')}`;
  const state = trace.deleted ? 'deleted by' : 'as of';
  const now = current ? `, ${state} revision ${current.revision} at position ${current.position}` : '';
  process.stdout.write(`${subject}${now}.\n${behindNote(trace.answer_position, trace.stored_events)}`);
  printEvents('stored events', trace.stored_events, [
    { name: 'driver', value: (event) => event.driver_id },
    { name: 'stored (UTC)', value: (event) => event.stored_at.toISOString().slice(0, 19).replace('T', ' ') },
    { name: 'source', value: placeOf },
  ]);
  printOthers(trace.duplicates, trace.dead_letters);
  warnIncomplete(trace.incomplete);
}

/** `milepost trace trip`: the revisions of a trip, and what else came about it. */
export function addTrip(trace: Command): void {
  trace
    .command('trip')
    .description('Show all revisions of a trip: which one answers show, and where each came from.')
    .argument('<trip-id>', 'the trip_id of an answer', tripId)
    .option('--json', 'print all fields')
    .addHelpText('after', examples('milepost trace trip 0f4a6b1c9d2e8f70a1b2c3d4e5f60718 --json'))
    .action(async (id: string, options: { json?: true }) => {
      const [{ ROLES }, { withPool }, { traceTrip }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('@milepost/operations/lineage'),
      ]);
      const traced = await withPool(ROLES.operator, (pool) => traceTrip(pool, id));
      if (options.json) printJson(traced);
      else printTrip(traced);
    });
}
