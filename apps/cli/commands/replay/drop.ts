import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import type { SendOptions } from '../../replay/send.ts';

const NOTES = `
Nothing is asked. Of a replay that is live, what it replaced goes: \`milepost replay rollback\` has nothing to go back to
from then on, for good. What is live is never dropped.`;

/** `milepost replay drop`: the generations that are no longer wanted. */
export function addDrop(replay: Command): void {
  replay
    .command('drop')
    .description(
      'Remove the generations that a replay has built or replaced and that are not live; no roll back to them after that.',
    )
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option('--wait', 'return when it is done, or rests otherwise')
    .option('--json', 'print what `milepost replay show --json` prints')
    .addHelpText('after', NOTES)
    .addHelpText('after', examples('milepost replay drop 7 --wait'))
    .action(async (id: number, options: SendOptions) => {
      const [{ dropReplay, showReplay }, { PROJECTIONS }, { sendRequest }] = await Promise.all([
        import('@milepost/replay'),
        import('@milepost/projections'),
        import('../../replay/send.ts'),
      ]);
      await sendRequest(
        {
          action: 'replay.drop',
          parameters: { id },
          async ask(pool) {
            const { can_be_rolled_back: isRollBackKept, projection } = await showReplay(pool, PROJECTIONS, id);
            await dropReplay(pool, id);
            if (isRollBackKept)
              process.stderr.write(
                `What replay ${id} of ${projection} replaced is gone for good with this: no roll back leads to it, unless a later replay that is live replaced it too.\n`,
              );
            return id;
          },
          announce: true,
          printsId: false,
          accepted: () =>
            `What replay ${id} has left is being dropped: \`milepost replay show ${id}\` tells when it is.`,
          goal: 'dropped',
        },
        options,
      );
    });
}
