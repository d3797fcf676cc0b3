import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';

/** `milepost replay watch`: as `--wait`, for a replay that somebody has started. */
export function addWatch(replay: Command): void {
  replay
    .command('watch')
    .description('Look on until a replay rests. Ctrl-C ends the looking on, never the replay.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option('--json', 'print at the end what `milepost replay show --json` prints')
    .addHelpText('after', examples('milepost replay watch 7'))
    .action(async (id: number, options: { json?: true }) => {
      const [{ atDesk }, { followToEnd }] = await Promise.all([
        import('../../replay/desk.ts'),
        import('../../replay/send.ts'),
      ]);
      await atDesk(async (desk) => await followToEnd(desk, id, 'ended', options.json === true));
    });
}
