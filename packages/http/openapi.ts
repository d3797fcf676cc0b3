import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { TObject } from 'typebox';
import { COMMON_PROBLEMS } from './common-problems.ts';
import { explain, type Glossary } from './glossary.ts';
import { createNamer } from './named-schemas.ts';
import { completeDocument, type OpenApiDocument, type ParameterExamples } from './openapi-document.ts';
import type { ProblemKinds } from './problem.ts';
import { explainProblems } from './problem-pages.ts';
import { publishRecordSchemas } from './record-schemas.ts';
import { problemResponses, problemSchema } from './schema.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Headers of a request that the reference shows and that are checked elsewhere. */
    requestHeaders?: TObject;
  }
}

/** What the document says beside its paths. */
export interface Description {
  title: string;
  text: string;
  tags: { name: string; description: string }[];
  /** How callers say who they are. */
  scheme:
    | { type: 'apiKey'; in: 'header'; name: string; description: string }
    | { type: 'http'; scheme: 'bearer'; description: string };
  /** All that may go wrong. */
  problems: ProblemKinds;
  /** For fields whose schemas say nothing, or give no example. */
  glossary?: Glossary;
}

const SCHEME = 'Key';

/** What every path may answer before anybody has looked at what is asked. */
const PROTOCOL_PROBLEMS = problemResponses(
  COMMON_PROBLEMS,
  ['request_timeout', 'expectation_failed', 'headers_too_large'],
  { counted: false },
);

/**
 * Serves the OpenAPI document of all routes declared afterwards at `/openapi.json`, and a page for each code of a problem.
 *
 * @param examples those of this day
 */
export async function documentRoutes(
  app: FastifyInstance,
  { title, text, tags, scheme, problems, glossary = {} }: Description,
  examples: () => ParameterExamples = () => ({}),
): Promise<void> {
  const schemas = new Map<string, object>();
  const withNames = createNamer(schemas);
  withNames(problemSchema(problems));
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: '1', description: text, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/', description: 'Where this document comes from.' }],
      tags,
      components: { securitySchemes: { [SCHEME]: scheme } },
      security: [{ [SCHEME]: [] }],
    },
    transform: ({ schema, url }) => {
      const { requestHeaders, response, body, ...others } = schema;
      const headers = requestHeaders === undefined ? {} : { headers: requestHeaders };
      const responses = { ...Object(response), ...PROTOCOL_PROBLEMS };
      const explainedParts = explain({ ...(body ? { body } : {}), response: responses }, glossary);
      return { schema: Object(withNames({ ...others, ...headers, ...Object(explainedParts) })), url };
    },
  });
  publishRecordSchemas(app);
  explainProblems(app, problems);
  let made: { examples: string; text: string } | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    const now = examples();
    const key = JSON.stringify(now);
    if (made?.examples !== key) {
      const document: OpenApiDocument = JSON.parse(JSON.stringify(app.swagger()));
      completeDocument(document, schemas, problems, now);
      made = { examples: key, text: JSON.stringify(document) };
    }
    return reply.type('application/json; charset=utf-8').send(made.text);
  });
}
