import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { bashCompletion, zshCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { wordsOf } from './words.ts';

function program(): Command {
  const root = new Command('milepost').helpCommand(false).helpOption(false);
  const replay = root.command('replay').description("A replay's state.\n\nLong text. More.");
  replay.helpCommand(false).helpOption(false);
  replay
    .command('start')
    .description('Build new tables (version 1.5 or later). Readers see no change.')
    .helpOption(false)
    .option('-t, --throttle <speed>', 'trips per second: a \\ or auto')
    .option('--note [text]', 'why')
    .option('--wait', 'wait for the end')
    .addOption(new Option('--watch').hideHelp());
  root.command('secret', { hidden: true });
  return root;
}

describe('the words that a shell completes', () => {
  const words = wordsOf(program());

  it('are the commands at each level, with the first sentence of their descriptions', () => {
    expect(words.map(({ path, commands }) => [path.join(' '), commands])).toEqual([
      ['', [{ word: 'replay', description: "A replay's state" }]],
      ['replay', [{ word: 'start', description: 'Build new tables (version 1.5 or later)' }]],
      ['replay start', []],
    ]);
  });

  it('are the long options, with whether a value follows, and without those that the help hides', () => {
    expect(words.map(({ options }) => options)).toEqual([
      [],
      [],
      [
        { word: '--throttle', description: 'trips per second: a \\ or auto', takesValue: true },
        { word: '--note', description: 'why', takesValue: true },
        { word: '--wait', description: 'wait for the end', takesValue: false },
      ],
    ]);
  });
});

describe('the script', () => {
  const words = wordsOf(program());

  it('for bash and zsh has a line for each command, with its commands and options', () => {
    const lines = ["    '') echo 'replay' ;;", "    'replay') echo 'start' ;;"];
    lines.push("    'replay start') echo '--throttle --note --wait' ;;");
    expect(bashCompletion(words)).toContain(`  case "$1" in\n${lines.join('\n')}\n  esac`);
    expect(zshCompletion(words)).toMatch(/^#compdef milepost\n/);
    expect(zshCompletion(words).endsWith(bashCompletion(words))).toBe(true);
  });

  it('for fish has a line for each word: a value may be a file name, and quotes are escaped', () => {
    const lines = fishCompletion(words).split('\n');
    expect(lines.filter((line) => line.startsWith('complete '))).toEqual([
      "complete -c milepost -f -n '__milepost_at' -a replay -d 'A replay\\'s state'",
      "complete -c milepost -f -n '__milepost_at replay' -a start -d 'Build new tables (version 1.5 or later)'",
      "complete -c milepost -n '__milepost_in replay start' -l throttle -r -d 'trips per second: a \\\\ or auto'",
      "complete -c milepost -n '__milepost_in replay start' -l note -r -d 'why'",
      "complete -c milepost -n '__milepost_in replay start' -l wait -d 'wait for the end'",
    ]);
  });
});
