import { answerableDates } from '@milepost/domain/answer-times';
import { type CalendarDate, isMonday, mondayOf } from '@milepost/domain/calendar';
import type { Subject } from '@milepost/projections/exports';
import { type Command, Option } from 'commander';
import { calendarDate, examples, fleetId } from '../arguments.ts';
import type { Format } from '../export/run.ts';
import { UsageError } from '../failure.ts';
import { settingsHelp } from '../settings.ts';

interface Options {
  fleet: string;
  from: CalendarDate;
  to: CalendarDate;
  format: Format;
  output?: string;
}

const FORMATS: readonly Format[] = ['csv', 'ndjson', 'parquet'];

const SUBJECTS: Readonly<Record<Subject, string>> = {
  trips: "Export the trips that start on these days: exactly those in the API's trip list.",
  days: 'Export the daily summaries of all drivers, one row per driver and day with trips.',
  weeks: 'Export the weekly summaries of all drivers, one row per driver and week with trips.',
};

const NOTES = `
The columns have the names, units and values of the HTTP interface. The rows are those that the API currently returns: a
trip appears 4 hours after its end, and summaries cover the days up to yesterday. All rows come from one snapshot,
ordered by driver, then by time. In CSV and NDJSON, times are epoch milliseconds. In Parquet, they are timestamps. A
null is an empty CSV field. Ids that start with "=" are not escaped, so import the id columns of a CSV file as text. A
replay cannot be promoted during an export, so use --output instead of a slow pipe. If the program that reads the pipe
pauses for a minute, the export fails.`;

/** Checks the days against the rules of the HTTP interface. */
function assertValidDays(subject: Subject, { from, to }: Options, now: number): void {
  const { earliest, yesterday, today } = answerableDates(now);
  const latest = subject === 'trips' ? today : yesterday;
  if (from > to) throw new UsageError(`--from (${from}) must not be later than --to (${to}).`);
  for (const [name, value] of Object.entries({ '--from': from, '--to': to })) {
    if (value < earliest || value > latest)
      throw new UsageError(`${name} must be from ${earliest} to ${latest} (UTC), but it is ${value}.`);
  }
  if (subject === 'weeks' && !isMonday(from))
    throw new UsageError(`--from must be a Monday, such as ${mondayOf(from)}, but it is ${from}.`);
}

async function exportSubject(subject: Subject, { fleet, output, ...options }: Options): Promise<void> {
  const now = Date.now();
  assertValidDays(subject, { fleet, ...options }, now);
  if (options.format === 'parquet' && output === undefined && process.stdout.isTTY)
    throw new UsageError('Parquet is binary: name a file with --output, or redirect stdout.');
  const { runExport } = await import('../export/run.ts');
  await runExport({ subject, fleetId: fleet, now, ...options }, output);
}

/** Adds `milepost export`, which writes a fleet's rows for analysts. */
export function addExport(program: Command): void {
  const group = program
    .command('export')
    .description("Export a fleet's trips, or its daily or weekly summaries, as CSV, NDJSON or Parquet.")
    .helpCommand(false)
    .addHelpText(
      'after',
      examples('milepost export days --fleet acme --from 2026-10-01 --to 2026-10-31 --format csv --output days.csv'),
    );
  for (const subject of ['trips', 'days', 'weeks'] as const) {
    const from = subject === 'weeks' ? 'the first Monday' : 'the first day';
    const to = subject === 'weeks' ? 'the last day on which a week may start' : 'the last day';
    group
      .command(subject)
      .description(SUBJECTS[subject])
      .requiredOption('--fleet <id>', "the fleet's id", fleetId)
      .requiredOption('--from <date>', `${from}, YYYY-MM-DD, within the last 6 months`, calendarDate)
      .requiredOption('--to <date>', `${to}, inclusive`, calendarDate)
      .addOption(new Option('--format <format>', 'the format of the rows').choices(FORMATS).makeOptionMandatory())
      .option('--output <file>', 'a new file instead of stdout')
      .addHelpText('after', NOTES)
      .addHelpText('after', settingsHelp('export'))
      .addHelpText(
        'after',
        examples(
          `milepost export ${subject} --fleet acme --from 2026-10-05 --to 2026-10-31 --format csv | head`,
          `milepost export ${subject} --fleet acme --from 2026-10-05 --to 2026-10-31 --format parquet --output ${subject}.parquet`,
        ),
      )
      .action(async (options: Options) => await exportSubject(subject, options));
  }
}
