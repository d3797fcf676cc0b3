import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ALERTS, pageOf } from '../../../deploy/monitoring/alerts.ts';
import { ended, ROOT, type Settings, start } from '../milepost.ts';
import type { RunningProcess } from '../processes.ts';
import type { ProcessName, RunbookWorld } from './world.ts';

const FOLDER = join(ROOT, 'docs/runbooks');

/** Causes the fault described on a page, runs the page's commands, and checks their effects. */
export type Scenario = (page: Page, world: RunbookWorld) => Promise<void>;

/** Values for the words in capitals in a command, such as `{ REPLAY: '7' }`. */
type Values = Readonly<Record<string, string | number>>;

/** The names of all runbooks, without the index. */
export function pageNames(): string[] {
  return globSync('*.md', { cwd: FOLDER })
    .map((file) => file.replace(/\.md$/, ''))
    .filter((name) => name !== 'README')
    .sort();
}

/**
 * Lists a page's commands in order: the lines of its `sh` blocks. The name is the path relative to the runbooks'
 * folder.
 */
export function commandsOf(name: string): string[] {
  const text = readFileSync(join(FOLDER, `${name}.md`), 'utf8');
  return Array.from(text.matchAll(/^ *```sh\n(.*?)^ *```$/gms), ([, block = '']) => block.split('\n'))
    .flat()
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A runbook, or another page whose commands a scenario runs. */
export class Page {
  readonly name: string;
  readonly #world: RunbookWorld;
  readonly #commands: readonly string[];
  readonly #used = new Set<string>();

  constructor(name: string, world: RunbookWorld) {
    this.name = name;
    this.#world = world;
    this.#commands = commandsOf(name);
  }

  /** The commands that the scenario has not yet run. */
  get unused(): string[] {
    return this.#commands.filter((command) => !this.#used.has(command));
  }

  #fill(command: string, values: Values): string {
    if (!this.#commands.includes(command)) throw new Error(`docs/runbooks/${this.name}.md has no command ${command}`);
    this.#used.add(command);
    return Object.entries(values).reduce(
      (text, [word, value]) => text.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), () => String(value)),
      command,
    );
  }

  /**
   * Runs one of the page's commands in a shell. Returns stdout and stderr. Throws unless the command exits with `code`.
   *
   * @param environment the command's settings; by default, the world's settings for this command
   */
  async run(command: string, values: Values = {}, code = 0, environment?: Settings): Promise<string> {
    const text = this.#fill(command, values);
    const [, words = ''] = /\bmilepost (.*)/.exec(command) ?? [];
    const own = environment ?? { ...this.#world.environment, ...this.#world.settingsOf(words.split(' ')) };
    const result = await ended(start(['bash', '-c', text], own));
    expect(result, `${this.name}: ${text}`).toMatchObject({ code });
    return result.stdout + result.stderr;
  }

  /** Starts one of the page's `milepost` commands, which runs until it is stopped. */
  start(command: string): RunningProcess {
    const [program, ...words] = this.#fill(command, {}).split(' ');
    expect(program, command).toBe('milepost');
    return this.#world.processes.start(...words);
  }

  /** Starts another process with one of the page's commands, and stops it once its output contains a string. */
  async startAnother(command: string, shown: string): Promise<void> {
    const another = this.start(command);
    await expect.poll(another.output).toContain(shown);
    expect(await another.stop()).toBe(0);
  }

  /** Resolves when a metric in the page's alert, summed over its series, meets a condition. */
  async untilMetric(
    process: ProcessName,
    name: string,
    condition: (value: number) => boolean,
    labels: Readonly<Record<string, string | number>> = {},
  ): Promise<void> {
    const expression = ALERTS.find((alert) => pageOf(alert) === this.name)?.expression;
    expect(expression, `the alert of ${this.name}`).toContain(name);
    const value = async () => (await this.#world.metrics(process)).sum(name, labels) ?? Number.NaN;
    await expect.poll(value, { message: `${this.name}: ${name}` }).toSatisfy(condition);
  }
}
