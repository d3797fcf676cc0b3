import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import type { SendOptions } from '../../replay/send.ts';

/** `milepost replay pause`: it stands still until resumed. */
export function addPause(replay: Command): void {
  replay
    .command('pause')
    .description('Let a replay stand still once the parts under way are done.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option('--json', 'print what `milepost replay show --json` prints')
    .addHelpText('after', examples('milepost replay pause 7'))
    .action(async (id: number, options: SendOptions) => {
      const [{ pauseReplay }, { sendRequest }] = await Promise.all([
        import('@milepost/replay'),
        import('../../replay/send.ts'),
      ]);
      await sendRequest(
        {
          action: 'replay.pause',
          parameters: { id },
          async ask(pool) {
            await pauseReplay(pool, id);
            return id;
          },
          announce: false,
          printsId: false,
          accepted: () => `Replay ${id} stands still from now on: \`milepost replay resume ${id}\` lets it go on.`,
          goal: 'built',
        },
        options,
      );
    });
}
