import { isUtf8 } from 'node:buffer';
import { invalidParameters } from '@milepost/http/check';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';

const HEADER = 'Milepost-Operator';
const PRINTABLE = /^\P{C}{1,128}$/u;

/** The actor of a request that has the token, but no header with a name. */
export const DEFAULT_OPERATOR = 'ops-token';

/** The headers of every request that changes data. */
export const operatorHeaders = Type.Object({
  [HEADER]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The name of the operator, for the audit trail: 1 to 128 printable characters, as UTF-8.',
      default: DEFAULT_OPERATOR,
    }),
  ),
});

/** Reads the actor from the header. Throws the problem `invalid_parameter` if the header is invalid. */
export function readOperator({ headers }: FastifyRequest): string {
  const value = headers['milepost-operator'];
  if (value === undefined) return DEFAULT_OPERATOR;
  // Node provides headers as Latin-1.
  const bytes = Buffer.from(String(value), 'latin1');
  const operator = bytes.toString().trim();
  if (isUtf8(bytes) && PRINTABLE.test(operator)) return operator;
  throw invalidParameters([
    { parameter: HEADER, message: 'Must be 1 to 128 printable characters, as UTF-8, or absent.' },
  ]);
}
