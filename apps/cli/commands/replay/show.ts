import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import { printJson } from '../../output/json.ts';

/** `milepost replay show`: how a replay stands, and the report of its verification. */
export function addShow(replay: Command): void {
  replay
    .command('show')
    .description('Show how a replay stands, what can be done, and what its verification found.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option(
      '--json',
      'print {id, projection, phase, position, target, trips_per_second, remaining_seconds, throttle, verification, error, ...}',
    )
    .addHelpText('after', examples('milepost replay show 7', 'milepost replay show 7 --json'))
    .action(async (id: number, options: { json?: true }) => {
      const [{ atDesk }, { replayPage }, { viewJson }] = await Promise.all([
        import('../../replay/desk.ts'),
        import('../../replay/page.ts'),
        import('../../replay/view-json.ts'),
      ]);
      const view = await atDesk(async (desk) => await desk.view(id));
      if (options.json) return printJson(viewJson(view));
      process.stdout.write(replayPage(view));
      if (view.verification === null) return;
      const { printVerification } = await import('../../replay/print-verification.ts');
      process.stdout.write(`\n${printVerification(view.verification).trimEnd()}\n`);
    });
}
