import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { needs } from '../support/programs.ts';

/** A partly typed line, completions that must be offered, and completions that must not be offered. */
const CASES = [
  ['milepost re', ['replay', 'retention'], ['status', '--help']],
  ['milepost up --', ['--help'], ['--watch', 'undefined']],
  ['milepost replay start', ['start'], ['--throttle', 'trips.ndjson']],
  ['milepost replay ', ['start', 'watch', 'rollback'], ['replay']],
  ['milepost replay start --', ['--throttle', '--promote', '--wait', '--server'], ['--limit']],
  ['milepost keys create --fleet acme --j', ['--json'], ['--fleet']],
  ['milepost ingest trips', ['trips.ndjson'], ['--wait']],
] as const;

/** How each shell completes a line. */
const SHELLS = {
  bash(script: string, line: string) {
    const words = line.split(' ');
    const program = `
      source '${script}'
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      _milepost
      printf '%s\\n' "\${COMPREPLY[@]}"
      # What readline does by itself where nothing was found.
      complete -p milepost | grep -q -- '-o default' && ((\${#COMPREPLY[@]} == 0)) && compgen -f -- "\${COMP_WORDS[-1]}"
      true`;
    return { program, words: [] };
  },
  fish: (script: string, line: string) => ({
    program: `source '${script}'; complete --do-complete '${line}'`,
    words: ['--no-config'],
  }),
  // zsh completes only typed input, so the line and a tab are typed into an inner terminal, which records the words
  // offered by zsh.
  zsh: (script: string, line: string) => ({
    program: `
      zmodload zsh/zpty
      zpty typed zsh -f -i
      zpty -w typed "PROMPT=; source '${script}'
        mark() { print -rn -- \\$'\\0' }
        compprefuncs=(mark) comppostfuncs=(mark exit)
        compadd() {
          local -a offered
          builtin compadd -A offered \\"\\$@\\"
          print -rl -- \\$offered
          builtin compadd \\"\\$@\\"
        }
        bindkey '^I' complete-word"
      zpty -w -n typed '${line}'$'\\t'
      zpty -r typed output $'*\\0*\\0'
      print -r -- "\${\${output%$'\\0'}##*$'\\0'}"`,
    words: ['-f'],
  }),
};

const folder = perSuite(openFolder);
beforeAll(() => writeFileSync(join(folder.path, 'trips.ndjson'), ''));

describe.each(['bash', 'fish', 'zsh'] as const)('the completion for %s', (shell) => {
  let script: string;
  beforeAll(async () => {
    script = join(folder.path, shell);
    const { code, stdout } = await run(['completion', shell], {});
    expect(code).toBe(0);
    writeFileSync(script, stdout);
  });

  it.each(CASES)('of `%s`', needs(shell), (line, expected, others) => {
    const { program, words } = SHELLS[shell](script, line);
    const output = execFileSync(shell, [...words, '-c', program], { cwd: folder.path, encoding: 'utf8' });
    const found = output.split('\n').map((each) => each.split(/[\t\r]/)[0] ?? '');
    expect(found).toEqual(expect.arrayContaining([...expected]));
    for (const other of others) expect(found).not.toContain(other);
  });
});
