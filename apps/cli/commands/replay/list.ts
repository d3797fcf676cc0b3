import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import { printJson } from '../../output/json.ts';

interface Options {
  limit: number;
  json?: true;
}

/** `milepost replay list`: newest first. */
export function addList(replay: Command): void {
  replay
    .command('list')
    .description('List the replays, newest first.')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 10_000), 20)
    .option('--json', 'print an array of what `milepost replay show --json` prints')
    .addHelpText('after', examples('milepost replay list --limit 5'))
    .action(async ({ limit, json }: Options) => {
      const [{ listReplays }, { PROJECTIONS }, { atDesk }, { printReplays }, { viewJson }] = await Promise.all([
        import('@milepost/replay'),
        import('@milepost/projections'),
        import('../../replay/desk.ts'),
        import('../../replay/table.ts'),
        import('../../replay/view-json.ts'),
      ]);
      const views = await atDesk(async ({ pool }) => await listReplays(pool, PROJECTIONS, limit));
      if (json) return printJson(views.map(viewJson));
      if (views.length === 0) process.stderr.write('No replays.\n');
      printReplays(views);
      if (views.length === limit) process.stderr.write(`There may be more than ${limit}: see --limit.\n`);
    });
}
