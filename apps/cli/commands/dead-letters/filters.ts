import type { OpenDeadLetterFilter } from '@milepost/operations/dead-letters';
import { type Command, InvalidArgumentError } from 'commander';
import { fleetId, wholeNumber } from '../../arguments.ts';
import { UsageError } from '../../failure.ts';

const LARGEST_PARTITION = 2_147_483_647;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** A moment: a day, which begins at midnight UTC, or a time with its zone, so that nobody's local time creeps in. */
export function moment(text: string): Date {
  const time = new Date(DAY.test(text) ? `${text}T00:00:00Z` : text);
  // Date rolls 30 February over into March instead of refusing it.
  const isRolledOver = DAY.test(text) && !Number.isNaN(time.getTime()) && !time.toISOString().startsWith(text);
  if (!(DAY.test(text) || TIME.test(text)) || Number.isNaN(time.getTime()) || isRolledOver) {
    throw new InvalidArgumentError('It must be a day such as 2025-01-31 (UTC) or a time such as 2025-01-31T08:00:00Z.');
  }
  return time;
}

/** Adds the options that choose dead letters; their values make an `OpenDeadLetterFilter`. `when` begins each one's help. */
export function addFilters(command: Command, when: string): Command {
  return command
    .option('--reason <code>', `${when}only those with this reason code`)
    .option('--source <topic>', `${when}only those of this topic, or of file:NAME`)
    .option('--partition <number>', `${when}only those of this partition`, wholeNumber(0, LARGEST_PARTITION))
    .option('--field <path>', `${when}only those at fault in this field or below it, as /events`)
    .option('--fleet <id>', `${when}only those whose record names this fleet`, fleetId)
    .option('--since <time>', `${when}only those received then or later`, moment)
    .option('--until <time>', `${when}only those received before`, moment);
}

/** The filter among a command's options. Throws UsageError for a reason code that there is not. */
export async function filterOf(options: OpenDeadLetterFilter): Promise<OpenDeadLetterFilter> {
  const { reason, source, partition, field, fleet, since, until } = options;
  if (reason !== undefined) {
    // Imported here: loading the parser's package would slow the help of every command down.
    const { REASON_CODES } = await import('@milepost/operations/dead-letters');
    if (!REASON_CODES.includes(reason)) {
      throw new UsageError(`--reason must be one of ${REASON_CODES.join(', ')}, and is "${reason}".`);
    }
  }
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(source === undefined ? {} : { source }),
    ...(partition === undefined ? {} : { partition }),
    ...(field === undefined ? {} : { field }),
    ...(fleet === undefined ? {} : { fleet }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** Which dead letters a command is about: ids, or with --all-open a filter. */
export type Chosen = { ids: number[] } | { filter: OpenDeadLetterFilter };

/**
 * Reads the choice between ids and --all-open. Filters go with --all-open alone, so that a forgotten id settles nothing.
 *
 * @throws UsageError
 */
export async function chosen(ids: number[], options: OpenDeadLetterFilter & { allOpen?: true }): Promise<Chosen> {
  const filter = await filterOf(options);
  const { allOpen } = options;
  if (allOpen && ids.length > 0) throw new UsageError('Name ids or say --all-open, not both.');
  if (allOpen) return { filter };
  const [name] = Object.keys(filter);
  if (name !== undefined) throw new UsageError(`--${name} goes with --all-open.`);
  if (ids.length === 0) throw new UsageError('Name the ids of dead letters, or say --all-open.');
  return { ids: [...new Set(ids)] };
}
