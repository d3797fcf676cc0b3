import type { CommandWords } from './words.ts';

/**
 * Returns the completion for bash. It completes options after a dash. Without a dash, it completes commands, or file
 * names if no other command can follow.
 */
export function bashCompletion(all: readonly CommandWords[]): string {
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
export function zshCompletion(all: readonly CommandWords[]): string {
  return `#compdef milepost
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bashCompletion(all)}`;
}
