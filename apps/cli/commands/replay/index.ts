import type { Command } from 'commander';
import { examples } from '../../arguments.ts';
import { addCancel } from './cancel.ts';
import { addDrop } from './drop.ts';
import { addList } from './list.ts';
import { addPause } from './pause.ts';
import { addPromote } from './promote.ts';
import { addResume } from './resume.ts';
import { addRollback } from './rollback.ts';
import { addShow } from './show.ts';
import { addStart } from './start.ts';
import { addThrottle } from './throttle.ts';
import { addWatch } from './watch.ts';

/** `milepost replay`: read tables built anew beside the live ones. */
export function addReplay(program: Command): void {
  const replay = program
    .command('replay')
    .description('Build read tables anew from the event log beside the live ones, compare, promote, roll back.')
    .helpCommand(false)
    .addHelpText(
      'after',
      examples(
        'milepost replay start all --wait',
        'milepost replay show 7',
        'milepost replay promote 7 --wait',
        'milepost replay rollback all --wait',
      ),
    );
  for (const add of [
    addStart,
    addList,
    addShow,
    addWatch,
    addPause,
    addResume,
    addCancel,
    addThrottle,
    addPromote,
    addRollback,
    addDrop,
  ]) {
    add(replay);
  }
}
