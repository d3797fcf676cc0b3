import type { TObject } from 'typebox';

/** What is wrong with one parameter of an input. */
export interface InputError {
  parameter: string;
  message: string;
}

/** What to say of a parameter that is none of the `known` ones. */
export function unknownParameter(parameter: string, known: readonly string[]): InputError {
  const [only, ...others] = known;
  if (only === undefined) return { parameter, message: 'Not known here: there are no parameters.' };
  if (others.length === 0) return { parameter, message: `Not known here: the only parameter is ${only}.` };
  return { parameter, message: `Not known here: the parameters are ${known.join(', ')}.` };
}

/** All that is wrong with an input, by its parameters. A property's description says what would be right. */
export async function inputErrors(schema: TObject, input: unknown): Promise<InputError[]> {
  // Loaded at the first input: it takes time and memory that looking and scraping do not need.
  const { Compile } = await import('typebox/compile');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return [{ parameter: 'body', message: 'Must be a JSON object.' }];
  }
  const known = Object.entries(schema.properties).flatMap(([parameter, property]) => {
    const value: unknown = Object.hasOwn(input, parameter) ? Reflect.get(input, parameter) : undefined;
    const description = 'description' in property ? property.description : 'as the reference says.';
    if (value === undefined) {
      return schema.required?.includes(parameter) ? [{ parameter, message: `Required: ${description}` }] : [];
    }
    return Compile(property).Check(value) ? [] : [{ parameter, message: `Must be ${description}` }];
  });
  const unknown = Object.keys(input)
    .filter((parameter) => !Object.hasOwn(schema.properties, parameter))
    .map((parameter) => unknownParameter(parameter, Object.keys(schema.properties)));
  return [...known, ...unknown];
}
