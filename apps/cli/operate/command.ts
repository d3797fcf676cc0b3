import { checkOf } from '@milepost/operations/check';
import { argumentsOf, commandOf, flagOf, type Operation } from '@milepost/operations/operation';
import { type Command, Option } from 'commander';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { examples, wholeNumber } from '../arguments.ts';
import type { Answered, Client, Json } from '../client/client.ts';
import { commandLine, withFlags } from '../client/command-line.ts';
import { openClient } from '../client/open-client.ts';
import { UsageError } from '../failure.ts';
import { printJson } from '../output.ts';
import { settingsHelp } from '../settings.ts';
import { addLimit, type EntryOf, type LimitOption, type ListPresentation, listIn, printEntries } from './lists.ts';

/** The options that every operation's command accepts in addition to the input. */
export interface CommonOptions extends LimitOption {
  server?: string;
  lane?: number;
}

interface Run<Input extends TObject, Answer extends TSchema> {
  /** Runs the operation with the command line's input and with `more`. */
  call: (more?: Partial<Static<Input>>) => Promise<Answered<Static<Answer>>>;
  client: Client;
  input: Static<Input>;
  /** The command line's inputs, one for each request. */
  inputs: Static<Input>[];
}

/** The parts of a command that are not derived from its operation. */
interface Presentation<Input extends TObject = TObject, Answer extends TSchema = TSchema, Options = object>
  extends ListPresentation<EntryOf<Json<Static<Answer>>>> {
  /** The command's description, if it differs from the operation's. */
  description?: string;
  /** Parsers for inputs that a schema cannot check. */
  readers?: Readonly<Record<string, (text: string) => unknown>>;
  /** The inputs that the command reads from its own options and arguments. */
  own?: readonly string[];
  /** Splits the given input into several requests. */
  inputs?(given: Record<string, unknown>): Record<string, unknown>[];
  /** Adds options that only this command has. */
  options?(command: Command): Command;
  /** Describes the output of `--json` in the help, if that output is not the response itself. */
  json?: string;
  /** Text between the help and the examples. */
  notes?: string;
  examples?: readonly string[];
  /** Prints the response as text. By default, the command prints a list as a table and any other response as JSON. */
  print?(answer: Json<Static<Answer>>, options: Options & CommonOptions): void;
  /** Runs the operation and prints the result, for commands that do more than print the response. */
  run?(run: Run<Input, Answer>, options: Options & CommonOptions): Promise<void>;
}

/** The presentation of a given operation, whose command may have `Options` of its own. */
export type PresentationOf<Presented extends Operation, Options = object> = Presentation<
  Presented['input'],
  Presented['answer'],
  Options
>;

/** The presentations of operations by their names, in the order of the help. */
export type Presentations = Readonly<Record<string, Presentation>>;

/** Returns a parser for a command-line word. A word of the wrong type remains a string, so that the schema rejects it. */
function readerOf(schema: TSchema): (text: string, previous?: unknown) => unknown {
  const takesNumbers = 'anyOf' in schema && Array.isArray(schema.anyOf) && schema.anyOf.some(Type.IsInteger);
  if (takesNumbers) return (text) => (/^\d+$/.test(text) ? Number(text) : text);
  if (Type.IsArray(schema)) {
    const read = readerOf(schema.items);
    return (text, previous) => [...(Array.isArray(previous) ? previous : []), read(text)];
  }
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: { minimum?: number; maximum?: number } = schema;
  return Type.IsInteger(schema) ? wholeNumber(minimum, maximum) : (text) => text;
}

function describe(schema: TSchema): string {
  return 'description' in schema ? String(schema.description) : '';
}

function optionOf(name: string, schema: TSchema, reader: (text: string) => unknown): Option {
  // A switch has no value, so its description loses the prefix `true or false:`, which applies only to requests.
  if (Type.IsBoolean(schema) || Type.IsLiteral(schema)) {
    return new Option(flagOf(name), describe(schema).replace(/^true,? or \w+: /, ''));
  }
  return new Option(`${flagOf(name)} <${Type.IsArray(schema) ? 'values...' : 'value'}>`, describe(schema)).argParser(
    reader,
  );
}

/** Returns the names of the first eight fields for the help of `--json`. */
function fieldsOf(names: readonly string[]): string {
  return names.length === 0 ? 'the response' : `{${names.slice(0, 8).join(', ')}${names.length > 8 ? ', ...' : ''}}`;
}

/** Throws a UsageError that lists all errors in the input. */
function assertValid(
  { input: schema, inputErrors }: Operation,
  input: Record<string, unknown>,
  nameOf: (name: string) => string,
): void {
  const faults = checkOf(schema)(input);
  const errors = faults.length > 0 ? faults : (inputErrors?.(input) ?? []);
  if (errors.length === 0) return;
  throw new UsageError(
    errors.map(({ parameter, message }) => `${nameOf(parameter)}: ${withFlags(message, schema)}`).join(' '),
  );
}

/** Finds the command with these words, and creates it if it does not exist. */
export function commandAt(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    return parent.commands.find((command) => command.name() === word) ?? parent.command(word).helpCommand(false);
  }, program);
}

/** Adds an operation's command. */
export function addOperation(program: Command, operation: Operation, presentation: Presentation = {}): void {
  const { readers = {}, notes, description, print, run } = presentation;
  const list = print || run ? null : listIn(operation);
  const own = [...(presentation.own ?? []), ...(list?.page ? ['limit'] : [])];
  const properties: Record<string, TSchema> = operation.input.properties;
  const isRequired = (name: string) => operation.input.required?.includes(name) ?? false;
  const inOrder = argumentsOf(operation).filter((name) => !own.includes(name));
  const command = commandAt(program, commandOf(operation).split(' '));
  command.summary(`${operation.summary}.`);
  command.description(description ?? `${operation.summary}. ${operation.description}`);
  for (const name of inOrder) {
    const schema = properties[name] ?? Type.String();
    const words = `${name.replaceAll('_', '-')}${Type.IsArray(schema) ? '...' : ''}`;
    const reader = readers[name] ?? readerOf(schema);
    command.argument(isRequired(name) ? `<${words}>` : `[${words}]`, describe(schema), reader);
  }
  const named = new Map<string, Option>();
  for (const [name, schema] of Object.entries(properties)) {
    if (inOrder.includes(name) || own.includes(name)) continue;
    const option = optionOf(name, schema, readers[name] ?? readerOf(schema));
    command.addOption(option.makeOptionMandatory(isRequired(name)));
    named.set(name, option);
  }
  presentation.options?.(command);
  if (list?.page) addLimit(command, presentation.defaultLimit ?? list.page.default);
  const { answer: schema } = operation;
  const fields = list
    ? `[${fieldsOf(list.fields)}]`
    : fieldsOf(Type.IsObject(schema) ? Object.keys(schema.properties) : []);
  command
    .option('--json', `print ${presentation.json ?? fields}`)
    .option('--server <url>', "run the command on the operators' API at this address, with the token in OPS_TOKEN");
  if (!operation.shared) {
    command.option('--lane <number>', 'the lane; default: the lane of the fleet, otherwise lane 0', wholeNumber(0));
  }
  command
    .addHelpText('after', notes === undefined ? '' : `\n${notes}`)
    .addHelpText('after', `${settingsHelp(operation.name.split('.')[0] ?? '')}; with --server: OPS_TOKEN`)
    .addHelpText('after', examples(...(presentation.examples ?? [commandLine({ input: {} }, operation)])))
    .action(async () => {
      const options: CommonOptions = command.opts();
      const given: Record<string, unknown> = {};
      for (const [index, argument] of command.registeredArguments.entries()) {
        const value = command.processedArgs[index];
        const isGiven = value !== undefined && !(Array.isArray(value) && value.length === 0);
        if (isGiven) given[argument.name().replaceAll('-', '_')] = value;
      }
      for (const [name, option] of named) {
        const value: unknown = command.getOptionValue(option.attributeName());
        if (value !== undefined) given[name] = value;
      }
      const nameOf = (name: string) => (inOrder.includes(name) ? `<${name.replaceAll('_', '-')}>` : flagOf(name));
      const inputs = presentation.inputs?.(given) ?? [given];
      for (const each of inputs) assertValid(operation, each, nameOf);
      const [input] = inputs;
      if (input === undefined) throw new Error('There are no inputs.');
      await using client = await openClient(options.server, options.lane);
      const call = async (more: Record<string, unknown> = {}) => await client.call(operation, { ...input, ...more });
      if (run) return await run({ call, client, input, inputs }, options);
      if (list) return await printEntries(client, operation, input, options, presentation);
      const { answer } = await call();
      if (print && !options.json) print(answer, options);
      else printJson(answer);
    });
}
