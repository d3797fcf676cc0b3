import { type Command, Option } from 'commander';
import { calendarDate, examples, fleetId, wholeNumber } from '../arguments.ts';
import { hasKafka } from '../config.ts';
import { UsageError } from '../failure.ts';
import { processSignal } from '../process.ts';
import { settingsHelp } from '../settings.ts';
import type { SimulationOptions } from '../simulate/records.ts';

interface Options extends SimulationOptions {
  out?: string;
  kafka?: true;
}

async function simulate(options: Options): Promise<void> {
  if (options.points !== undefined && options.standard === undefined) {
    throw new UsageError('--points needs --standard.');
  }
  if (options.kafka && !hasKafka())
    throw new UsageError('--kafka needs KAFKA_BROKERS (host:port, separated by commas).');
  const { simulatedRecords, withProgress } = await import('../simulate/records.ts');
  const signal = processSignal();
  const progress = { days: options.days, total: options.standard };
  const records = withProgress(simulatedRecords(options, Date.now()), progress);
  if (options.kafka) return await (await import('../simulate/to-kafka.ts')).writeToKafka(records, signal);
  const { writeToFile, writeToStandardOutput } = await import('../simulate/to-ndjson.ts');
  if (options.out === undefined) await writeToStandardOutput(records, signal);
  else await writeToFile(records, options.out, signal);
}

/** Adds `milepost simulate`, which generates the records of a realistic fleet. */
export function addSimulate(program: Command): void {
  program
    .command('simulate')
    .description('Generate the records of a realistic fleet: as lines on stdout, in a file, or published to Kafka.')
    .requiredOption('--drivers <number>', 'number of drivers', wholeNumber(1, 1_000_000))
    .requiredOption('--days <number>', 'number of days with trips', wholeNumber(1, 3_660))
    .option('--seed <number>', 'the same seed gives the same fleet', wholeNumber(0, 2 ** 32 - 1), 1)
    .option('--fleet <id>', "the fleet's id", fleetId)
    .option('--end <date>', 'the last day with trips, YYYY-MM-DD (default: yesterday, UTC)', calendarDate)
    .addOption(
      new Option('--out <file>', 'a file instead of stdout, compressed if its name ends in .gz or .zst').conflicts(
        'kafka',
      ),
    )
    .option('--kafka', 'publish to KAFKA_TRIPS_TOPIC and KAFKA_DRIVERS_TOPIC on KAFKA_BROKERS')
    .option(
      '--standard <number>',
      'generate this number of standard trips instead of a realistic fleet',
      wholeNumber(1),
    )
    .option('--points <number>', 'trail points of a standard trip (default: 300)', wholeNumber(2, 50_000))
    .addHelpText('after', `${settingsHelp('simulate')}; only with --kafka`)
    .addHelpText(
      'after',
      examples(
        'milepost simulate --drivers 100 --days 30 --out fleet.ndjson.zst',
        'milepost simulate --drivers 5 --days 2 | milepost ingest - --wait',
      ),
    )
    .action(simulate);
}
