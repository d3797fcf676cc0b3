import type { EraseRequest, Erasure } from '@milepost/erasure';
import type { Command } from 'commander';
import { examples, fleetId } from '../../arguments.ts';
import { UsageError } from '../../failure.ts';
import { printJson } from '../../output/json.ts';
import { processSignal } from '../../process.ts';
import { assertTerminal, confirmed } from './confirm.ts';

interface Options {
  fleet: string;
  driver: string;
  reason: string;
  keepAggregates?: true;
  yes?: true;
  json?: true;
}

const LONGEST_REASON = 1_000;
/** A shorter id may well be part of a word. */
const SHORTEST_TELLING_ID = 4;

const NOTES = `
Names, email, alias, the driver's id, tracking and trip ids of the pipeline, coordinates, paths and trip events go from the
log, from every read table and from the dead letters; a pseudonym, erased-..., takes the id's place. The id always goes,
also where the fleet chose it. With --keep-aggregates the daily and weekly figures stay under the pseudonym; single trips
never do. Records about the driver are refused from then on, without their bytes. There is no way back. What backups, the
write-ahead log and the Kafka topic hold goes when these expire: docs/adr/0010-erasure.md.`;

function assertSensible({ driver, reason }: Options): void {
  if (driver === '') throw new UsageError('--driver must name the driver.');
  if (reason.trim() === '' || reason.length > LONGEST_REASON) {
    throw new UsageError(`--reason must say why, in at most ${LONGEST_REASON} characters.`);
  }
  if (driver.length >= SHORTEST_TELLING_ID && reason.includes(driver)) {
    throw new UsageError('--reason must not name the driver: it is kept for good.');
  }
}

async function erase(request: EraseRequest): Promise<Erasure> {
  const [{ ROLES, retryPassingFaults }, { withPool }, { recordedCommand }, { messageOf }, erasure, { PROJECTIONS }] =
    await Promise.all([
      import('@milepost/postgres'),
      import('../../database.ts'),
      import('../../operator.ts'),
      import('@milepost/service'),
      import('@milepost/erasure'),
      import('@milepost/projections'),
    ]);
  const retry = {
    signal: processSignal(),
    onFault: (error: unknown) => {
      process.stderr.write(`Nothing was erased yet: ${messageOf(error)}. Trying again.\n`);
    },
  };
  const { fleetId: fleet_id, driverId, keepAggregates: keep_aggregates, reason } = request;
  return await withPool(ROLES.eraser, async (pool) => {
    const pseudonym = await erasure.pseudonymOf(pool, fleet_id, driverId);
    // The audit trail is kept for good, too: it speaks of the pseudonym.
    const parameters = { fleet_id, pseudonym, keep_aggregates, reason };
    return await withPool(ROLES.operator, (operator) =>
      recordedCommand(
        operator,
        'drivers.erase',
        parameters,
        () => retryPassingFaults(() => erasure.eraseDriver(pool, PROJECTIONS, request), retry),
        erasure.erasedInWords,
      ),
    );
  });
}

function told({ pseudonym, fleet_id, position, stored_events, dead_letters, aggregates_kept }: Erasure): string {
  const figures = aggregates_kept ? `The daily and weekly figures stay under ${pseudonym}.` : 'No figures are kept.';
  return `The driver is now ${pseudonym} of the fleet ${fleet_id}: ${stored_events} stored events and ${dead_letters} dead letters were redacted, as position ${position} of the log says. ${figures} Archives written before still hold the driver: delete them, or export anew (\`milepost archive verify FILE\` tells).\n`;
}

const NOTHING_ERASED = 'Nothing was erased.';

async function isWanted({ fleet, driver, keepAggregates }: Options): Promise<boolean> {
  assertTerminal();
  const [{ ROLES }, { withPool }, { countWhatGoes }] = await Promise.all([
    import('@milepost/postgres'),
    import('../../database.ts'),
    import('./what-goes.ts'),
  ]);
  const { trips, stored_events } = await withPool(ROLES.operator, (pool) => countWhatGoes(pool, fleet, driver));
  const counts = `${trips} ${trips === 1 ? 'trip' : 'trips'} and ${stored_events} ${stored_events === 1 ? 'stored event' : 'stored events'} go`;
  const figures = keepAggregates ? 'the daily and weekly figures stay.' : 'and so do the daily and weekly figures.';
  const question = `Erase the driver ${JSON.stringify(driver)} of the fleet ${fleet} for good? ${counts}, ${figures}`;
  return await confirmed(question, NOTHING_ERASED);
}

/** `milepost drivers erase`: a person goes, for good. */
export function addErase(drivers: Command): void {
  drivers
    .command('erase')
    .description('Remove a driver from the log and all read tables for good, and refuse what comes about them later.')
    .requiredOption('--fleet <id>', 'the fleet of the driver', fleetId)
    .requiredOption('--driver <id>', "the driver's id, or, to remove the figures kept earlier, the pseudonym")
    .requiredOption('--reason <text>', 'why; it is kept for good, so it must not name the person')
    .option('--keep-aggregates', 'keep the daily and weekly figures under a pseudonym')
    .option('--yes', 'do not ask')
    .option('--json', 'print {position, fleet_id, pseudonym, aggregates_kept, stored_events, dead_letters}')
    .addHelpText('after', NOTES)
    .addHelpText(
      'after',
      examples(
        'milepost drivers erase --fleet sunrise-delivery --driver 4711 --reason "request of 3 May, case 812"',
        'milepost drivers erase --fleet sunrise-delivery --driver 4711 --reason "case 812" --keep-aggregates --yes',
      ),
    )
    .action(async (options: Options) => {
      assertSensible(options);
      const { fleet, driver, reason, keepAggregates = false } = options;
      if (!options.yes && !(await isWanted(options))) throw new Error(NOTHING_ERASED);
      const erasure = await erase({ fleetId: fleet, driverId: driver, reason, keepAggregates });
      if (options.json) printJson(erasure);
      else process.stdout.write(told(erasure));
    });
}
