import { createApiKey, listApiKeys, revokeApiKey } from '@milepost/operations/api-keys';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { Problem } from '../problems/problem.ts';
import { changeProblems, problems, type RouteContext } from './context.ts';
import { FLEET_ID, operatorHeaders as headers, nullable, Time } from './schemas.ts';

const FleetId = Type.String({
  pattern: FLEET_ID,
  description: '1 to 64 of the characters A-Z, a-z, 0-9, _ and -: the fleet whose reports the key opens.',
});
const Id = Type.String({ description: 'Names the key; it is not the key itself.' });

export const KeyList = Type.Object({
  keys: Type.Array(Type.Object({ id: Id, fleet_id: FleetId, created_at: Time, revoked_at: nullable(Time) })),
});
export const CreatedKey = Type.Object({
  id: Id,
  fleet_id: FleetId,
  key: Type.String({ description: 'The only time it is known: the database keeps its hash alone.' }),
});

const NewKey = Type.Object({ fleet_id: FleetId }, { additionalProperties: false });
const tags = ['Keys'];

const listSchema = {
  tags,
  summary: 'List API keys',
  description: 'The keys of all fleets, revoked ones too, in the order of their making.',
  response: { 200: KeyList, ...problems() },
};
const createSchema = {
  tags,
  summary: 'Create an API key',
  headers,
  body: NewKey,
  response: { 201: CreatedKey, ...changeProblems() },
};
const revokeSchema = {
  tags,
  summary: 'Revoke an API key',
  description: 'It opens nothing from now on. Done twice, nothing more happens.',
  headers,
  params: Type.Object({ id: Id }),
  response: { 204: { type: 'null', description: 'The key is revoked.' }, ...changeProblems('key_not_found') },
};

export async function keysRoutes(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get('/keys', { schema: listSchema }, async () => ({ keys: await listApiKeys(pool) }));

  app.post<{ Body: Static<typeof NewKey> }>(
    '/keys',
    { schema: createSchema, config: { action: 'keys.create' } },
    async (request, reply) => {
      const created = await createApiKey(pool, request.body.fleet_id);
      request.outcomeDetail = created.id;
      return reply.code(201).header('cache-control', 'no-store').send(created);
    },
  );

  app.delete<{ Params: { id: string } }>(
    '/keys/:id',
    { schema: revokeSchema, config: { action: 'keys.revoke' } },
    async ({ params }, reply) => {
      // No text of PostgreSQL holds U+0000: asking for one would fail.
      const known = !params.id.includes('\0') && (await revokeApiKey(pool, params.id));
      if (!known) throw new Problem('key_not_found', 'There is no API key with this id: GET /keys lists the ids.');
      return reply.code(204).send();
    },
  );
}
