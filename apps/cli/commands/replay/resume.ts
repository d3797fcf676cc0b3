import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import type { SendOptions } from '../../replay/send.ts';

/** `milepost replay resume`: on from where it stopped. */
export function addResume(replay: Command): void {
  replay
    .command('resume')
    .description('Let a replay go on that was paused, or that failed and whose cause is mended.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option('--wait', 'return when it is done, or rests otherwise')
    .option('--json', 'print what `milepost replay show --json` prints')
    .addHelpText('after', examples('milepost replay resume 7 --wait'))
    .action(async (id: number, options: SendOptions) => {
      const [{ resumeReplay }, { sendRequest }] = await Promise.all([
        import('@milepost/replay'),
        import('../../replay/send.ts'),
      ]);
      await sendRequest(
        {
          action: 'replay.resume',
          parameters: { id },
          async ask(pool) {
            await resumeReplay(pool, id);
            return id;
          },
          announce: true,
          printsId: false,
          accepted: () => `Replay ${id} goes on: \`milepost replay watch ${id}\` shows how.`,
          goal: 'built',
        },
        options,
      );
    });
}
