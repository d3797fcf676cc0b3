import { isCalendarDate } from '@milepost/domain/calendar';
import type { DriverDayTrace } from '@milepost/operations/lineage';
import type { Command } from 'commander';
import { calendarDate, examples, fleetId } from '../../arguments.ts';
import { UsageError } from '../../failure.ts';
import { printJson } from '../../output/json.ts';
import { behindNote, placeOf, printEvents, printOthers, quoted, warnIncomplete } from './print.ts';

function printDriverDay(trace: DriverDayTrace): void {
  const events = [...trace.stored_events, ...trace.profile_events];
  const trips = trace.trip_count === 1 ? '1 trip' : `${trace.trip_count} trips`;
  process.stdout.write(
    `Driver ${quoted(trace.driver_id)} of the fleet ${trace.fleet_id} on ${trace.date} (UTC): ${trips}.\n${behindNote(trace.answer_position, events)}`,
  );
  printEvents('stored events of all trips that were ever on this day', trace.stored_events, [
    { name: 'counted', value: (event) => (event.counted ? 'yes' : 'no') },
    { name: 'driver', value: (event) => event.driver_id },
    {
      name: 'start (UTC)',
      value: (event) =>
        event.trip_start_time === null
          ? null
          : new Date(event.trip_start_time).toISOString().slice(0, 16).replace('T', ' '),
    },
    { name: 'trip', value: (event) => event.trip_id },
  ]);
  printEvents('profile', trace.profile_events, [{ name: 'source', value: placeOf }]);
  printOthers(trace.duplicates, trace.dead_letters);
  warnIncomplete(trace.incomplete);
}

/** `milepost trace driver`: what a driver's daily summary was made from. */
export function addDriver(trace: Command): void {
  trace
    .command('driver')
    .description("Show all that decides a driver's summary of one UTC day, trips moved away and deleted ones too.")
    .argument('<fleet>', "the driver's fleet", fleetId)
    .argument('<driver>', 'the driver_id of an answer')
    .argument('<date>', 'the day, as 2025-01-31', calendarDate)
    .option('--json', 'print all fields')
    .addHelpText('after', examples('milepost trace driver sunrise-delivery driver-0007 2025-01-31'))
    .action(async (fleet: string, driver: string, date: string, options: { json?: true }) => {
      if (!isCalendarDate(date)) throw new UsageError('The date must be a day such as 2025-01-31.');
      const [{ ROLES }, { withPool }, { traceDriverDay }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('@milepost/operations/lineage'),
      ]);
      const traced = await withPool(ROLES.operator, (pool) => traceDriverDay(pool, fleet, driver, date));
      if (options.json) printJson(traced);
      else printDriverDay(traced);
    });
}
