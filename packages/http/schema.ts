import Type from 'typebox';
import type { ProblemKinds } from './problem.ts';

const ID = 'Problem';

/** The shape of every error answer (RFC 9457) of a server. Added to the server once; endpoints refer to it. */
export function problemSchema(kinds: ProblemKinds) {
  const meanings = Object.entries(kinds).map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`);
  return Type.Object(
    {
      type: Type.String({ description: '`urn:milepost:problem:` and the code.' }),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String({ description: 'What is wrong with this request.' }),
      code: Type.Enum(Object.keys(kinds), { description: meanings.join('\n') }),
      request_id: Type.String({ description: 'Names this request in the logs of the service.' }),
      errors: Type.Optional(
        Type.Array(Type.Object({ parameter: Type.String(), message: Type.String() }), {
          description: 'All wrong parameters at once.',
        }),
      ),
    },
    { $id: ID, description: 'An error (RFC 9457).' },
  );
}

const content = { 'application/problem+json': { schema: { $ref: `${ID}#` } } };

/** The `response` entries, one per status, of an endpoint that may answer with the given codes. */
export function problemResponses<Kinds extends ProblemKinds>(kinds: Kinds, codes: readonly (keyof Kinds & string)[]) {
  const statuses = new Map<number, string[]>();
  for (const code of codes) {
    const status = kinds[code]?.status ?? 500;
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...statuses].map(([status, names]) => [
      status,
      { description: names.map((name) => `\`${name}\``).join(', '), content },
    ]),
  );
}
