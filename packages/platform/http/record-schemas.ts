import { RECORD_KINDS, recordSchema } from '@milepost/domain/record-schemas';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';

const JSON_SCHEMA = 'application/schema+json';
const Schema = Type.Object({}, { additionalProperties: true });

/** Serves the JSON Schema for each kind of record, for use by producers. The routes do not need a key. */
export function publishRecordSchemas(app: FastifyInstance): void {
  for (const kind of RECORD_KINDS) {
    const text = JSON.stringify(recordSchema(kind));
    const answer = { description: 'A JSON Schema (2020-12).', content: { [JSON_SCHEMA]: { schema: Schema } } };
    const name = kind.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const schema = {
      operationId: `get${name}Schema`,
      tags: ['Service'],
      summary: `The JSON Schema for ${kind}`,
      security: [],
      response: { 200: answer },
    };
    app.get(`/schemas/${kind}`, { schema }, async (_request, reply) => reply.type(JSON_SCHEMA).send(text));
  }
}
