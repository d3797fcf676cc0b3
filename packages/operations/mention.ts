import { namesInPath, type Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import type { Mention } from './refusal.ts';

function named(name: string): Operation {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** Names an operation as a request: `POST /replays/7/pause`. */
export const asRequest: Mention = (name, input = {}) => {
  const { method, path } = named(name);
  return `\`${method} ${namesInPath(path).reduce((text, each) => text.replace(`:${each}`, String(input[each])), path)}\``;
};

/** Names an operation as a command: `milepost replay promote 7 --accept-differences`. */
export const asCommand: Mention = (name, input = {}) => {
  const inPath = namesInPath(named(name).path);
  const options = Object.entries(input).filter(([key]) => !inPath.includes(key));
  const words = [
    'milepost',
    ...name.split('.'),
    ...inPath.flatMap((each) => (each in input ? String(input[each]) : [])),
    ...options.flatMap(([key, value]) => [`--${key.replaceAll('_', '-')}`, ...(value === true ? [] : [String(value)])]),
  ];
  return `\`${words.join(' ')}\``;
};
