import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A shell like the one in a terminal: each command sees the environment that earlier commands have set. */
export class Shell {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#process = spawn('bash', [], { cwd: folder, env: environment });
    this.#process.stderr.resume();
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** Runs a command and returns its stdout. Throws when the command fails. */
  async run(command: string): Promise<string> {
    const end = `end-of-command-${Math.random().toString(36).slice(2)}`;
    // A command that inherited this stdin would read the next command. The newline comes first, because the command's
    // output might not end with one.
    this.#process.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\n%s %s\\n' ${end} $?\n`);
    const output: string[] = [];
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`The shell exited during: ${command}`);
      if (!value.startsWith(end)) {
        output.push(value);
        continue;
      }
      const code = value.slice(end.length).trim();
      const text = output.join('\n').trim();
      if (code !== '0') throw new Error(`Exit code ${code} of: ${command}\n${text}`);
      return text;
    }
  }

  async end(): Promise<void> {
    const ended = once(this.#process, 'close');
    this.#process.stdin.end('exit\n');
    await ended;
  }
}
