import { inputErrors } from '@milepost/operations/check';
import { namesInPath, type Operation } from '@milepost/operations/operation';
import { type Command, Option } from 'commander';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { examples, wholeNumber } from '../arguments.ts';
import { UsageError } from '../failure.ts';
import { printJson } from '../output/json.ts';
import { type Answered, type Client, openClient } from './client.ts';
import { flagOf } from './flags.ts';

/** What every operator's command takes beside its input. */
export interface CommonOptions {
  json?: true;
  server?: string;
}

export const SERVER_HELP = "run it on the operators' API there, with the token in OPS_TOKEN";

/** How an operation is shown as a command, where what follows from the operation alone is not enough. */
export interface Presentation<Input extends TObject, Answer extends TSchema, Options> {
  /** `keys create`, when it is not the operation's name. */
  words?: string;
  description?: string;
  /** The inputs that are given without a flag, in their order; those of the path when it is not said. */
  arguments?: readonly string[];
  /** Flags that are not the input's name: `{ fleet_id: '--fleet <id>' }`. */
  flags?: Readonly<Record<string, string>>;
  /** Readers of inputs, when it takes more than their schema to say what is wrong. */
  readers?: Readonly<Record<string, (text: string) => unknown>>;
  /** Adds options of the command's own. */
  options?: (command: Command) => Command;
  /** What `--json` prints, for the help. */
  json?: string;
  /** Behind the help, before its examples. */
  notes?: string;
  examples?: readonly string[];
  /** Runs and prints; the answer as JSON when it is not said. */
  run?: (
    call: (input?: Partial<Static<Input>>) => Promise<Answered<Static<Answer>>>,
    options: Options & CommonOptions,
    client: Client,
    input: Static<Input>,
  ) => Promise<void>;
}

/** Reads a word of the command line as its schema wants it. */
function readerOf(schema: TSchema): (text: string) => unknown {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: { minimum?: number; maximum?: number } = schema;
  return Type.IsInteger(schema) ? wholeNumber(minimum, maximum) : (text) => text;
}

function describe(schema: TSchema): string {
  return 'description' in schema ? String(schema.description) : '';
}

function optionOf(flag: string, schema: TSchema, reader: (text: string) => unknown): Option {
  const isSwitch = Type.IsBoolean(schema) || Type.IsLiteral(schema);
  const option = new Option(isSwitch || flag.includes('<') ? flag : `${flag} <value>`, describe(schema));
  return isSwitch ? option : option.argParser(reader);
}

/** The input, all faults of which are told at once. Throws UsageError. */
async function checked<Input extends TObject>(
  schema: Input,
  input: object,
  flag: (name: string) => string,
): Promise<Static<Input>> {
  const errors = await inputErrors(schema, input);
  if (errors.length === 0 && Check(schema, input)) return input;
  throw new UsageError(errors.map(({ parameter, message }) => `${flag(parameter)}: ${message}`).join(' '));
}

/** Finds the command that a path of words leads to, made where it is not there yet. */
function commandAt(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    return parent.commands.find((command) => command.name() === word) ?? parent.command(word).helpCommand(false);
  }, program);
}

/** Adds the command of an operation. */
export function addOperation<Input extends TObject, Answer extends TSchema, Options extends object = object>(
  program: Command,
  operation: Operation<Input, Answer>,
  presentation: Presentation<Input, Answer, Options> = {},
): void {
  const properties: Record<string, TSchema> = operation.input.properties;
  const inOrder = presentation.arguments ?? namesInPath(operation.path);
  const options = Object.keys(properties).filter((name) => !inOrder.includes(name));
  const words = (presentation.words ?? operation.name.replaceAll('.', ' ')).split(' ');
  const flag = (name: string) => (presentation.flags?.[name] ?? flagOf(name)).split(' ')[0] ?? name;
  const command = commandAt(program, words).description(presentation.description ?? `${operation.summary}.`);
  for (const name of inOrder) {
    const schema = properties[name] ?? Type.String();
    command.argument(
      `<${name.replaceAll('_', '-')}>`,
      describe(schema),
      presentation.readers?.[name] ?? readerOf(schema),
    );
  }
  for (const name of options) {
    const schema = properties[name] ?? Type.String();
    const reader = presentation.readers?.[name] ?? readerOf(schema);
    const option = optionOf(presentation.flags?.[name] ?? flagOf(name), schema, reader);
    command.addOption(option.makeOptionMandatory(operation.input.required?.includes(name) ?? false));
  }
  presentation.options?.(command);
  command
    .option('--json', presentation.json ?? "print the operation's answer as JSON")
    .option('--server <url>', SERVER_HELP)
    .addHelpText('after', presentation.notes === undefined ? '' : `\n${presentation.notes}`)
    .addHelpText('after', presentation.examples ? examples(...presentation.examples) : '')
    .action(async () => {
      const given: Options & CommonOptions & Record<string, unknown> = command.opts();
      const input: Record<string, unknown> = {};
      for (const [index, name] of inOrder.entries()) input[name] = command.processedArgs[index];
      for (const option of command.options) {
        const name = options.find((each) => flag(each) === option.long);
        const value = given[option.attributeName()];
        if (name !== undefined && value !== undefined) input[name] = value;
      }
      const whole = await checked(operation.input, input, (name) =>
        inOrder.includes(name) ? `<${name}>` : flag(name),
      );
      await using client = await openClient(given.server);
      const call = async (more: Partial<Static<Input>> = {}) => await client.call(operation, { ...whole, ...more });
      if (presentation.run) await presentation.run(call, given, client, whole);
      else printJson((await call()).answer);
    });
}
