import { groupOf } from '@milepost/operations/groups';
import { argumentsOf, commandOf, flagOf, type Operation } from '@milepost/operations/operation';
import type { Action } from '@milepost/operations/schemas';
import { FIRST_LANE } from '@milepost/postgres/lanes';

function quoted(value: string | number | boolean): string {
  const text = String(value);
  return /^[\w.,:@/-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Returns the option that selects a lane, with a leading space, or an empty string for the first lane. */
export function laneOption(lane: number | undefined): string {
  return lane === undefined || lane === FIRST_LANE ? '' : ` --lane ${lane}`;
}

/**
 * Returns the command for an action, such as `milepost replay promote 7 --accept-differences`. If the operator has to
 * supply an input, the command contains the name of that input in capitals.
 */
export function commandLine({ input }: Pick<Action, 'input'>, operation: Operation, lane?: number): string {
  const required: readonly string[] = operation.input.required ?? [];
  const inOrder = argumentsOf(operation);
  const wordOf = (name: string) => (name in input ? quoted(input[name] ?? '') : name.toUpperCase());
  const options = Object.keys(operation.input.properties)
    .filter((name) => !inOrder.includes(name) && (name in input || required.includes(name)))
    .map((name) => (input[name] === true ? flagOf(name) : `${flagOf(name)} ${wordOf(name)}`));
  return `${['milepost', commandOf(operation), ...inOrder.map(wordOf), ...options].join(' ')}${laneOption(lane)}`;
}

/** Appends suggested commands to the sentence that explains a refusal. */
export async function withNext(sentence: string, next: readonly Action[], lane?: number): Promise<string> {
  if (next.length === 0) return sentence;
  const commands = next.map(async (action) => {
    const { operations } = await groupOf({ name: action.operation }).load();
    const operation = operations.find(({ name }) => name === action.operation);
    return operation
      ? `\`${commandLine(action, operation, lane)}\``
      : `\`milepost ${action.operation.replaceAll('.', ' ')}\``;
  });
  return `${sentence} Try ${(await Promise.all(commands)).join(' or ')}.`;
}

/** Replaces each parameter in backticks in a message with the command's flag for it. */
export function withFlags(message: string, { properties }: Operation['input']): string {
  return message.replaceAll(/`(\w+)`/g, (text, name: string) => (name in properties ? flagOf(name) : text));
}
