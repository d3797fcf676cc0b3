import { Argument, type Command } from 'commander';
import { examples } from '../arguments.ts';

/** A word that can follow a command. */
interface Word {
  word: string;
  description: string;
  kind: 'command' | 'switch' | 'option with a value';
}

/** The words that can follow each command. The path is the command's own words, such as `['replay', 'start']`. */
type WordsAfter = readonly (readonly [path: readonly string[], words: readonly Word[]])[];

/** Returns the words that can follow `command` and every command below it. */
function wordsAfter(command: Command, path: readonly string[] = []): WordsAfter {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const words = [
    ...commands.map((each): Word => {
      return { word: each.name(), description: help.subcommandDescription(each), kind: 'command' };
    }),
    ...help.visibleOptions(command).map(({ long, description, required, optional }): Word => {
      return { word: long ?? '', description, kind: required || optional ? 'option with a value' : 'switch' };
    }),
  ];
  return [[path, words], ...commands.flatMap((each) => wordsAfter(each, [...path, each.name()]))];
}

/** Completes options after a dash; otherwise it completes commands, or file names if no other command can follow. */
function bashCompletion(all: WordsAfter): string {
  const cases = all.map(([path, words]) => {
    return `    '${path.join(' ')}') echo '${words.map(({ word }) => word).join(' ')}' ;;`;
  });
  return `# milepost: completion for bash
_milepost_words() {
  case "$1" in
${cases.join('\n')}
  esac
}
_milepost() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$word" in
      -*) ;;
      *) case " $(_milepost_words "$path") " in *" $word "*) path="\${path:+$path }$word" ;; esac ;;
    esac
  done
  words="$(_milepost_words "$path")"
  # Without a dash, no options are offered, so that file names are completed where a command accepts them.
  case "$current" in
    -*) ;;
    *) words="$(for word in $words; do case "$word" in -*) ;; *) echo "$word" ;; esac; done)" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _milepost milepost
`;
}

/** Returns the first sentence of a description, in quotes for fish. */
function quoted(description: string): string {
  const sentence = description.replaceAll(/\s+/g, ' ').replace(/\.( .*)?$/, '');
  return `'${sentence.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function fishCompletion(all: WordsAfter): string {
  const lines = all.flatMap(([path, words]) => {
    const condition = (name: string) => `-n '${[name, ...path].join(' ')}'`;
    return words.map(({ word, description, kind }) => {
      const offer =
        kind === 'command'
          ? `-f ${condition('__milepost_at')} -a ${word}`
          : `${condition('__milepost_in')} -l ${word.replace(/^--/, '')}${kind === 'switch' ? '' : ' -r'}`;
      return `complete -c milepost ${offer} -d ${quoted(description)}`;
    });
  });
  return `# milepost: completion for fish
function __milepost_words
  set -l words (commandline -opc)
  string match --invert -- '-*' $words[2..-1]
end
function __milepost_at
  test "$(string join ' ' (__milepost_words))" = "$argv"
end
function __milepost_in
  string match --quiet -- "$argv *" "$(string join ' ' (__milepost_words)) "
end
${lines.join('\n')}
`;
}

const SHELLS = {
  bash: bashCompletion,
  zsh: (all: WordsAfter) => `#compdef milepost
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bashCompletion(all)}`,
  fish: fishCompletion,
};

/**
 * Adds `milepost completion`, which prints the script that a shell needs to complete command lines.
 *
 * @param createFullProgram creates the program with all its commands
 */
export function addCompletion(program: Command, createFullProgram: () => Promise<Command>): void {
  program
    .command('completion')
    .description('Print a script that lets a shell complete commands and options.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      examples(
        "echo 'source <(milepost completion bash)' >> ~/.bashrc",
        "echo 'source <(milepost completion zsh)' >> ~/.zshrc",
        'milepost completion fish > ~/.config/fish/completions/milepost.fish',
      ),
    )
    .action(async (shell: keyof typeof SHELLS) => {
      process.stdout.write(SHELLS[shell](wordsAfter(await createFullProgram())));
    });
}
