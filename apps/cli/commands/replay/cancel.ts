import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import type { SendOptions } from '../../replay/send.ts';

/** `milepost replay cancel`: the end of a replay before its promotion. */
export function addCancel(replay: Command): void {
  replay
    .command('cancel')
    .description('End a replay before its promotion and remove what it has built; live read tables stay as they are.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option('--wait', 'return when it is done, or rests otherwise')
    .option('--json', 'print what `milepost replay show --json` prints')
    .addHelpText('after', examples('milepost replay cancel 7 --wait'))
    .action(async (id: number, options: SendOptions) => {
      const [{ cancelReplay }, { sendRequest }] = await Promise.all([
        import('@milepost/replay'),
        import('../../replay/send.ts'),
      ]);
      await sendRequest(
        {
          action: 'replay.cancel',
          parameters: { id },
          async ask(pool) {
            await cancelReplay(pool, id);
            return id;
          },
          announce: true,
          printsId: false,
          accepted: () => `Replay ${id} is being cancelled: \`milepost replay show ${id}\` tells when it is.`,
          goal: 'cancelled',
        },
        options,
      );
    });
}
