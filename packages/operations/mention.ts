import { argumentsOf, commandOf, flagOf, namesInPath, type Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import type { Mention } from './refusal.ts';

function named(name: string): Operation {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** Names operations as requests over HTTP: `POST /replays/7/pause`. */
export const asRequest: Mention = {
  operation(name, input = {}) {
    const { method, path } = named(name);
    return `\`${method} ${namesInPath(path).reduce((text, each) => text.replace(`:${each}`, String(input[each])), path)}\``;
  },
  parameter: (name) => name,
};

/** Names operations as commands: `milepost replay promote 7 --accept-differences`. */
export const asCommand: Mention = {
  operation(name, input = {}) {
    const operation = named(name);
    const inOrder = argumentsOf(operation);
    const options = Object.entries(input).filter(([key]) => !inOrder.includes(key));
    const words = [
      'milepost',
      commandOf(operation),
      ...inOrder.flatMap((each) => (each in input ? String(input[each]) : [])),
      ...options.flatMap(([key, value]) => [flagOf(key), ...(value === true ? [] : [String(value)])]),
    ];
    return `\`${words.join(' ')}\``;
  },
  parameter: flagOf,
};
