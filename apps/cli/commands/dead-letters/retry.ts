import type { RetriedDeadLetter } from '@milepost/ingest/dead-letters';
import type { OpenDeadLetterFilter } from '@milepost/operations/dead-letters';
import type { Pool } from '@milepost/postgres';
import type { Command } from 'commander';
import { examples, id } from '../../arguments.ts';
import { printJson } from '../../output/json.ts';
import { type Progress, startProgress } from '../../output/progress.ts';
import { printTable } from '../../output/table.ts';
import { addFilters, type Chosen, chosen } from './filters.ts';

const SHOWN_RESULTS = 100;

interface Options extends OpenDeadLetterFilter {
  allOpen?: true;
  json?: true;
}

async function retryChosen(
  operator: Pool,
  ingest: Pool,
  what: Chosen,
  progress: Progress,
): Promise<RetriedDeadLetter[]> {
  const [{ countOpenDeadLetters, openDeadLetterIds }, { retryDeadLetters }] = await Promise.all([
    import('@milepost/operations/dead-letters'),
    import('@milepost/ingest/dead-letters'),
  ]);
  if ('ids' in what) {
    return await retryDeadLetters(ingest, what.ids, (tried) => progress.update(tried, what.ids.length));
  }
  const total = await countOpenDeadLetters(operator, what.filter);
  const results: RetriedDeadLetter[] = [];
  for await (const ids of openDeadLetterIds(operator, what.filter)) {
    const before = results.length;
    results.push(...(await retryDeadLetters(ingest, ids, (tried) => progress.update(before + tried, total))));
  }
  return results;
}

function count(results: readonly RetriedDeadLetter[], outcome: RetriedDeadLetter['outcome']): number {
  return results.filter((result) => result.outcome === outcome).length;
}

/** Few results are all shown; of many, those that need somebody's attention come first. */
function print(results: readonly RetriedDeadLetter[]): void {
  const isLeft = ({ outcome }: RetriedDeadLetter) => outcome === 'refused' || outcome === 'not_open';
  const shown = results.length > SHOWN_RESULTS ? results.filter(isLeft).slice(0, SHOWN_RESULTS) : results;
  if (shown.length > 0) {
    printTable(
      ['id', 'outcome', 'message'],
      shown.map(({ id, outcome, message }) => [id, outcome, message]),
    );
  }
  const [stored, duplicates] = [count(results, 'stored'), count(results, 'duplicate')];
  const [refused, notOpen] = [count(results, 'refused'), count(results, 'not_open')];
  process.stdout.write(
    `${results.length} tried: ${stored} stored, ${duplicates} duplicates, ${refused} refused, ${notOpen} not open\n`,
  );
}

/** `milepost dead-letters retry`: the same bytes against today's rules. */
export function addRetry(deadLetters: Command): void {
  const retry = deadLetters
    .command('retry')
    .description('Try to store dead letters again with the rules of this release, in the order of their sources.')
    .argument('[ids...]', 'ids that `milepost dead-letters list` shows', id)
    .option('--all-open', 'all that nobody has settled');
  addFilters(retry, 'with --all-open: ')
    .option('--json', 'print [{id, outcome, message}]')
    .addHelpText(
      'after',
      examples('milepost dead-letters retry 17 18', 'milepost dead-letters retry --all-open --reason start_in_future'),
    )
    .action(async (ids: number[], options: Options) => {
      const what = await chosen(ids, options);
      const [{ ROLES }, { withPool }, { recordedCommand }, { retriedInWords }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('../../operator.ts'),
        import('@milepost/operations/dead-letters'),
      ]);
      const progress = startProgress('Trying again', ' dead letters');
      const results = await withPool(ROLES.operator, (operator) =>
        withPool(ROLES.ingest, (ingest) =>
          recordedCommand(
            operator,
            'dead-letters.retry',
            what,
            () => retryChosen(operator, ingest, what, progress),
            retriedInWords,
          ),
        ),
      ).finally(progress.stop);
      if (options.json) printJson(results);
      else print(results);
      const left = count(results, 'refused') + count(results, 'not_open');
      if (left > 0) throw new Error(`${left} of ${results.length} dead letters could not be stored.`);
    });
}
