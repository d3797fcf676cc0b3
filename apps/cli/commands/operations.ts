import type { Command } from 'commander';
import { examples, wholeNumber } from '../arguments.ts';
import { printJson } from '../output/json.ts';
import { printTable } from '../output/table.ts';

interface Options {
  limit: number;
  before?: number;
  json?: true;
}

async function list({ limit, before, json }: Options): Promise<void> {
  const [{ ROLES }, { withPool }, { listOperations }] = await Promise.all([
    import('@milepost/postgres'),
    import('../database.ts'),
    import('@milepost/operations/audit-trail'),
  ]);
  const operations = await withPool(ROLES.operator, (pool) => listOperations(pool, { limit, before }));
  if (json) return printJson(operations);
  if (operations.length === 0) process.stderr.write('No operations.\n');
  printTable(
    ['id', 'at', 'actor', 'via', 'action', 'parameters', 'outcome', 'detail'],
    operations.map(({ id, at, actor, via, action, parameters, outcome, detail }) => [
      id,
      at.toISOString(),
      actor,
      via,
      action,
      JSON.stringify(parameters),
      outcome,
      detail,
    ]),
  );
  if (operations.length === limit) {
    process.stderr.write(`There may be older ones: --before ${operations.at(-1)?.id} shows them.\n`);
  }
}

/** `milepost operations`: who changed what, when. */
export function addOperations(program: Command): void {
  const operations = program
    .command('operations')
    .description('Show who changed what, when, by command or over HTTP.')
    .helpCommand(false);
  operations
    .command('list')
    .description('List what was changed, refused and failed attempts too, newest first.')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 100_000), 100)
    .option('--before <id>', 'only those older than the one with this id', wholeNumber(1))
    .option('--json', 'print [{id, at, actor, via, action, parameters, outcome, detail}]')
    .addHelpText('after', examples('milepost operations list --limit 20'))
    .action(list);
}
