import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import type { SendOptions } from '../../replay/send.ts';

interface Options extends SendOptions {
  acceptDifferences?: true;
}

/** `milepost replay promote`: what a replay has built becomes what readers see. */
export function addPromote(replay: Command): void {
  replay
    .command('promote')
    .description('Make live what a replay has built; one under way is made live once it is verified.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option('--accept-differences', 'even if rows differ and no changed version explains it')
    .option('--wait', 'return when it is live, or rests otherwise')
    .option('--json', 'print what `milepost replay show --json` prints')
    .addHelpText(
      'after',
      examples('milepost replay promote 7 --wait', 'milepost replay promote 7 --accept-differences'),
    )
    .action(async (id: number, options: Options) => {
      const [{ promoteReplay }, { sendRequest }] = await Promise.all([
        import('@milepost/replay'),
        import('../../replay/send.ts'),
      ]);
      const acceptDifferences = options.acceptDifferences === true;
      await sendRequest(
        {
          action: 'replay.promote',
          parameters: { id, accept_differences: acceptDifferences },
          async ask(pool) {
            await promoteReplay(pool, id, { acceptDifferences });
            return id;
          },
          announce: true,
          printsId: false,
          accepted: () =>
            `Replay ${id} is promoted as soon as it can be: \`milepost replay watch ${id}\` shows when. Until then \`milepost replay pause ${id}\` or \`milepost replay cancel ${id}\` stops it.`,
          goal: 'promoted',
        },
        options,
      );
    });
}
