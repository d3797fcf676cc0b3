import { checkOf, type InputError } from '@milepost/operations/check';
import { argumentsOf, commandOf, flagOf, type Operation } from '@milepost/operations/operation';
import { type Command, Option } from 'commander';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { examples, wholeNumber } from '../arguments.ts';
import { UsageError } from '../failure.ts';
import { printJson } from '../output.ts';
import { operationSettingsHelp } from '../settings.ts';
import type { Answered, Client } from './client.ts';
import { isList, type LimitOption, limited, printEntries, usualLimit } from './lists.ts';
import { openClient } from './open-client.ts';

/** What every operator's command takes beside its input. */
export interface CommonOptions {
  json?: true;
  server?: string;
}

export const SERVER_HELP = "run it on the operators' API there, with the token in OPS_TOKEN";

/** What a command works with once its words are checked. */
interface Run<Input extends TObject, Answer extends TSchema> {
  /** Runs the operation with the input given, and `more`. */
  call: (more?: Partial<Static<Input>>) => Promise<Answered<Static<Answer>>>;
  client: Client;
  input: Static<Input>;
  /** The first and all others, where the words are more than one request. */
  inputs: Static<Input>[];
}

/** How an operation is shown as a command, where what follows from the operation alone is not enough. */
interface Presentation<Input extends TObject, Answer extends TSchema, Options> {
  /** What the command does, where it is not what the operation does. */
  description?: string;
  /** Readers of inputs, when it takes more than their schema to say what is wrong. */
  readers?: Readonly<Record<string, (text: string) => unknown>>;
  /** The inputs that come from `inputs` or `run`: by options and arguments of the command's own. */
  own?: readonly string[];
  /** The inputs that the words stand for, where they are more than one request. */
  inputs?: (given: Record<string, unknown>) => Record<string, unknown>[];
  /** Adds options of the command's own. */
  options?: (command: Command) => Command;
  /** What `--json` prints, for the help, where it is not the answer. */
  json?: string;
  /** Behind the help, before its examples. */
  notes?: string;
  examples?: readonly string[];
  /** Runs and prints; the answer as JSON when it is not said. */
  run?: (run: Run<Input, Answer>, options: Options & CommonOptions) => Promise<void>;
}

/** Whether a schema takes whole numbers beside words. */
function takesNumbers(schema: TSchema): boolean {
  return 'anyOf' in schema && Array.isArray(schema.anyOf) && schema.anyOf.some((each) => Type.IsInteger(each));
}

/** Reads a word of the command line as its schema wants it; what is none is left for the schema to refuse. */
function readerOf(schema: TSchema): (text: string, previous?: unknown) => unknown {
  if (takesNumbers(schema)) return (text) => (/^\d+$/.test(text) ? Number(text) : text);
  if (Type.IsArray(schema)) {
    const read = readerOf(schema.items);
    return (text, previous) => [...(Array.isArray(previous) ? previous : []), read(text)];
  }
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: { minimum?: number; maximum?: number } = schema;
  return Type.IsInteger(schema) ? wholeNumber(minimum, maximum) : (text) => text;
}

/** How a command is used, where nobody gives a better example. */
function exampleOf(operation: Operation): string {
  const words = argumentsOf(operation).map((name) => name.toUpperCase());
  return ['milepost', commandOf(operation), ...words].join(' ');
}

function describe(schema: TSchema): string {
  return 'description' in schema ? String(schema.description) : '';
}

function optionOf(name: string, schema: TSchema, reader: (text: string) => unknown): Option {
  // A switch is there or not: `true or false:` is for requests.
  if (Type.IsBoolean(schema) || Type.IsLiteral(schema)) {
    return new Option(flagOf(name), describe(schema).replace(/^true,? or \w+: /, ''));
  }
  return new Option(`${flagOf(name)} <${Type.IsArray(schema) ? 'values...' : 'value'}>`, describe(schema)).argParser(
    reader,
  );
}

/** The names of an answer's fields, for the help on `--json`; of many, the first. */
function fieldsOf(answer: TSchema): string {
  const names = Type.IsObject(answer) ? Object.keys(answer.properties) : [];
  return names.length === 0 ? 'the answer' : `{${names.slice(0, 8).join(', ')}${names.length > 8 ? ', ...' : ''}}`;
}

/** All that is wrong with an input. */
function errorsOf({ input: schema, inputErrors }: Operation, input: Record<string, unknown>): InputError[] {
  const errors = checkOf(schema)(input);
  return errors.length > 0 ? errors : (inputErrors?.(input, { parameter: flagOf }) ?? []);
}

/** Throws UsageError with all that is wrong. */
function assertRight<Input extends TObject>(
  operation: Operation<Input>,
  input: Record<string, unknown>,
  nameOf: (name: string) => string,
): asserts input is Static<Input> {
  const errors = errorsOf(operation, input);
  if (errors.length === 0) return;
  throw new UsageError(errors.map(({ parameter, message }) => `${nameOf(parameter)}: ${message}`).join(' '));
}

function commandIn(parent: Command, word: string): Command {
  return parent.commands.find((command) => command.name() === word) ?? parent.command(word).helpCommand(false);
}

/** Finds the command that a path of words leads to, made where it is not there yet. */
export function commandAt(program: Command, words: readonly string[]): Command {
  return words.reduce(commandIn, program);
}

/** Adds the command of an operation that nobody presents in a way of its own. */
export function addUnpresented(program: Command, operation: Operation): void {
  const words = commandOf(operation).split(' ');
  const parent = words.slice(0, -1).reduce(commandIn, program);
  // A command of one word is there already, as a room, without what it does.
  const found = parent.commands.find((command) => command.name() === words.at(-1));
  if (found !== undefined && found.options.length > 0) return;
  if (!isList(operation)) {
    addOperation(program, operation);
    return;
  }
  addOperation<TObject, TSchema, LimitOption>(program, operation, {
    ...limited(usualLimit(operation)),
    json: 'an array',
    run: async ({ client, input }, options) => await printEntries(client, operation, input, options),
  });
}

/** Adds the command of an operation. */
export function addOperation<Input extends TObject, Answer extends TSchema, Options extends object = object>(
  program: Command,
  operation: Operation<Input, Answer>,
  presentation: Presentation<Input, Answer, Options> = {},
): void {
  const { readers = {}, own = [], notes, description } = presentation;
  const properties: Record<string, TSchema> = operation.input.properties;
  const isRequired = (name: string) => operation.input.required?.includes(name) ?? false;
  const inOrder = argumentsOf(operation).filter((name) => !own.includes(name));
  const named = Object.keys(properties).filter((name) => !inOrder.includes(name) && !own.includes(name));
  const command = commandAt(program, commandOf(operation).split(' '));
  command.summary(`${operation.summary}.`);
  command.description(description ?? `${operation.summary}. ${operation.description}`);
  for (const name of inOrder) {
    const schema = properties[name] ?? Type.String();
    const words = `${name.replaceAll('_', '-')}${Type.IsArray(schema) ? '...' : ''}`;
    const reader = readers[name] ?? readerOf(schema);
    command.argument(isRequired(name) ? `<${words}>` : `[${words}]`, describe(schema), reader);
  }
  for (const name of named) {
    const schema = properties[name] ?? Type.String();
    const option = optionOf(name, schema, readers[name] ?? readerOf(schema));
    command.addOption(option.makeOptionMandatory(isRequired(name)));
  }
  presentation.options?.(command);
  command
    .option('--json', `print ${presentation.json ?? fieldsOf(operation.answer)}`)
    .option('--server <url>', SERVER_HELP)
    .addHelpText('after', notes === undefined ? '' : `\n${notes}`)
    .addHelpText('after', operationSettingsHelp(operation.name.split('.')[0] ?? ''))
    .addHelpText('after', examples(...(presentation.examples ?? [exampleOf(operation)])))
    .action(async () => {
      const options: Options & CommonOptions & Record<string, unknown> = command.opts();
      const given: Record<string, unknown> = {};
      for (const [index, argument] of command.registeredArguments.entries()) {
        const value = command.processedArgs[index];
        const isThere = value !== undefined && !(Array.isArray(value) && value.length === 0);
        if (isThere) given[argument.name().replaceAll('-', '_')] = value;
      }
      for (const option of command.options) {
        const name = named.find((each) => flagOf(each) === option.long);
        const value = options[option.attributeName()];
        if (name !== undefined && value !== undefined) given[name] = value;
      }
      const nameOf = (name: string) => (inOrder.includes(name) ? `<${name.replaceAll('_', '-')}>` : flagOf(name));
      const parts = presentation.inputs?.(given) ?? [given];
      const [input, ...others] = parts.map((part) => {
        assertRight(operation, part, nameOf);
        return part;
      });
      if (input === undefined) throw new Error('An input has at least one part.');
      await using client = await openClient(options.server);
      const call = async (more: Partial<Static<Input>> = {}) => await client.call(operation, { ...input, ...more });
      if (presentation.run) await presentation.run({ call, client, input, inputs: [input, ...others] }, options);
      else printJson((await call()).answer);
    });
}
