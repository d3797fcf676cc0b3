import type { CommandWords } from './words.ts';

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Returns the completion for fish, with descriptions. */
export function fishCompletion(all: readonly CommandWords[]): string {
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
