import { Argument, type Command, type Option } from 'commander';
import { examples } from '../arguments.ts';

/** The words that can follow a command. */
interface CommandWords {
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
function wordsOf(command: Command, path: readonly string[] = []): CommandWords[] {
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

/**
 * Returns the completion for bash. It completes options after a dash. Without a dash, it completes commands, or file
 * names if no other command can follow.
 */
function bashCompletion(all: readonly CommandWords[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const words = [...commands, ...options].map(({ word }) => word);
    return `    '${path.join(' ')}') echo '${words.join(' ')}' ;;`;
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

/** Returns the completion for zsh, which uses the bash completion. */
function zshCompletion(all: readonly CommandWords[]): string {
  return `#compdef milepost
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bashCompletion(all)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Returns the completion for fish, with descriptions. */
function fishCompletion(all: readonly CommandWords[]): string {
  const lines = all.flatMap(({ path, commands, options }) => {
    const words = path.map((word) => ` ${word}`).join('');
    return [
      ...commands.map(({ word, description }) => {
        return `complete -c milepost -f -n '__milepost_at${words}' -a ${word} -d ${quoted(description)}`;
      }),
      ...options.map(({ word, description, takesValue }) => {
        const name = `-l ${word.replace(/^--/, '')}${takesValue ? ' -r' : ''}`;
        return `complete -c milepost -n '__milepost_in${words}' ${name} -d ${quoted(description)}`;
      }),
    ];
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

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

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
      process.stdout.write(SHELLS[shell](wordsOf(await createFullProgram())));
    });
}
