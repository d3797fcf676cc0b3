import { Argument, type Command } from 'commander';
import { examples } from '../arguments.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/**
 * Adds `milepost completion`, which prints the script that a shell needs to complete command lines.
 *
 * @param createFullProgram creates the program with all its commands
 */
export function addCompletion(program: Command, createFullProgram: () => Promise<Command>): void {
  program
    .command('completion')
    .description('Print a script that lets a shell complete commands and options.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(SHELLS))
    .addHelpText(
      'after',
      examples(
        "echo 'source <(milepost completion bash)' >> ~/.bashrc",
        "echo 'source <(milepost completion zsh)' >> ~/.zshrc",
        'milepost completion fish > ~/.config/fish/completions/milepost.fish',
      ),
    )
    .action(async (shell: (typeof SHELLS)[number]) => {
      const [{ wordsOf }, { bashCompletion, zshCompletion }, { fishCompletion }] = await Promise.all([
        import('../completion/words.ts'),
        import('../completion/bash.ts'),
        import('../completion/fish.ts'),
      ]);
      const write = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell];
      process.stdout.write(write(wordsOf(await createFullProgram())));
    });
}
