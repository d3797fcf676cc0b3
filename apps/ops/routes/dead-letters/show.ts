import { findDeadLetters, getDeadLetter } from '@milepost/operations/dead-letters';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { Problem } from '../../problems/problem.ts';
import { readId } from '../../request/id.ts';
import { problems, type RouteContext } from '../context.ts';
import { idParams, nullable } from '../schemas.ts';
import { deadLetterFields } from './schemas.ts';

export const DeadLetterResource = Type.Object({
  ...deadLetterFields,
  raw_base64: nullable(
    Type.String({
      contentEncoding: 'base64',
      description: 'The record, byte for byte; null when it had no value at all, or its driver was erased.',
    }),
  ),
});

const schema = {
  tags: ['Dead letters'],
  summary: 'Show a dead letter',
  description: 'Why a record was refused, where it came from, and its bytes.',
  params: idParams('The id that `GET /dead-letters` shows.'),
  response: { 200: DeadLetterResource, ...problems('dead_letter_not_found') },
};

export async function showDeadLetterRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get<{ Params: { id: string } }>('/dead-letters/:id', { schema }, async ({ params }) => {
    const id = readId(params.id);
    const found = id === null ? [] : await findDeadLetters(pool, { all: true }, { limit: 1, before: id + 1 });
    if (id === null || found[0]?.id !== id) {
      throw new Problem('dead_letter_not_found', 'There is no dead letter with this id: GET /dead-letters lists them.');
    }
    const { raw, ...letter } = await getDeadLetter(pool, id);
    return { ...letter, raw_base64: raw?.toString('base64') ?? null };
  });
}
