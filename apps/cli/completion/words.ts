import type { Command, Option } from 'commander';

/** The words that can follow a command. */
export interface CommandWords {
  /** The words of the command without the program's name, such as `['replay', 'start']`. */
  path: readonly string[];
  commands: readonly { word: string; description: string }[];
  options: readonly { word: string; description: string; takesValue: boolean }[];
}

function firstSentence(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replace(/\.( .*)?$/, '');
}

function offer(option: Option) {
  const takesValue = option.required || option.optional;
  return { word: option.long ?? option.short ?? '', description: firstSentence(option.description), takesValue };
}

/** Returns `command` and every command below it, each with the words that can follow it. */
export function wordsOf(command: Command, path: readonly string[] = []): CommandWords[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own = {
    path,
    commands: commands.map((each) => ({
      word: each.name(),
      description: firstSentence(help.subcommandDescription(each)),
    })),
    options: help.visibleOptions(command).map(offer),
  };
  return [own, ...commands.flatMap((each) => wordsOf(each, [...path, each.name()]))];
}
