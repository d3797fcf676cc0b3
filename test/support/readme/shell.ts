import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A terminal's shell: what one command sets, the next one sees. */
export class Shell {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#process = spawn('bash', [], { cwd: folder, env: environment });
    this.#process.stderr.resume();
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** Runs a command and returns what it wrote to stdout. Throws when it fails. */
  async run(command: string): Promise<string> {
    const end = `end-of-command-${Math.random().toString(36).slice(2)}`;
    // With our input as its own, a command would read the next one. A newline first: an answer need not end in one.
    this.#process.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\n%s %s\\n' ${end} $?\n`);
    const output: string[] = [];
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`The shell ended in: ${command}`);
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
