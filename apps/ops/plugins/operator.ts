import { invalidParameters } from '@milepost/http';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';

const HEADER = 'Milepost-Operator';
const PRINTABLE = /^\P{C}{1,128}$/u;

/** Who acts when a request does not say so: all that is known is that they hold the token. */
export const DEFAULT_OPERATOR = 'ops-token';

/** What every changing request may carry. */
export const operatorHeaders = Type.Object({
  [HEADER]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8.',
      default: DEFAULT_OPERATOR,
    }),
  ),
});

/** Node hands headers over byte by byte; null when the bytes are no UTF-8. */
function decode(header: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return null;
  }
}

/** Who acts, by the request's own word. Throws the problem `invalid_parameter`. */
export function readOperator({ headers }: FastifyRequest): string {
  const value = headers['milepost-operator'];
  if (value === undefined) return DEFAULT_OPERATOR;
  const operator = typeof value === 'string' ? decode(value)?.trim() : undefined;
  if (operator !== undefined && PRINTABLE.test(operator)) return operator;
  throw invalidParameters([
    { parameter: HEADER, message: 'Must be 1 to 128 printable characters, as UTF-8, or absent.' },
  ]);
}
