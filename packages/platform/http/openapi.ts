import swagger from '@fastify/swagger';
import { RECORD_KINDS, recordSchema } from '@milepost/domain/record-schemas';
import type { FastifyInstance } from 'fastify';
import Type, { type TObject, type TProperties } from 'typebox';
import { COMMON_PROBLEMS } from './common-problems.ts';
import { completeDocument, createNamer, type OpenApiDocument, type ParameterExamples } from './openapi-document.ts';
import manifest from './package.json' with { type: 'json' };
import type { ProblemKinds } from './problem.ts';
import { explainProblems } from './problem-pages.ts';
import { serveReference, type TryOut } from './reference.ts';
import { problemResponses, problemSchema } from './schema.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Request headers that are shown in the reference and checked by hooks. */
    requestHeaders?: TObject;
  }
}

/** The content of the document besides its paths. */
interface Description {
  title: string;
  /** The URL at which clients reach the server, without a trailing slash. If it is empty, proxies do not add a path. */
  publicUrl: string;
  text: string;
  tags: { name: string; description: string }[];
  /** The authentication scheme. */
  scheme:
    | { type: 'apiKey'; in: 'header'; name: string; description: string }
    | { type: 'http'; scheme: 'bearer'; description: string };
  /** The closed list of problems that the server can return. */
  problems: ProblemKinds;
  /** Members that only this server adds to a problem. */
  problemExtensions?: TProperties;
  /** Returns the examples of parameters for the current day. */
  examples?: () => ParameterExamples;
  tryOut?: TryOut;
}

const SCHEME = 'Key';
const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

/** The problems with which a server refuses requests before it knows their route. */
const PROTOCOL_PROBLEMS = problemResponses(
  COMMON_PROBLEMS,
  ['request_timeout', 'expectation_failed', 'headers_too_large'],
  { counted: false },
);

const JSON_SCHEMA = 'application/schema+json';
const Schema = Type.Object({}, { additionalProperties: true });

/** Serves the JSON Schema for each kind of record, for use by producers. The routes do not need a key. */
function publishRecordSchemas(app: FastifyInstance): void {
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

/**
 * Serves `/openapi.json`, the OpenAPI document of all routes declared afterwards, a reference page at `/docs`, and a
 * page for each problem code.
 */
export async function documentRoutes(app: FastifyInstance, description: Description): Promise<void> {
  const { title, publicUrl, text, tags, scheme, problems, problemExtensions } = description;
  const { examples = () => ({}), tryOut } = description;
  const schemas = new Map<string, object>();
  const withNames = createNamer(schemas);
  withNames(problemSchema(problems, problemExtensions));
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: manifest.version, description: text, license: LICENSE },
      servers: [{ url: publicUrl === '' ? '/' : publicUrl, description: 'The server that serves this document.' }],
      tags,
      components: { securitySchemes: { [SCHEME]: scheme } },
      security: [{ [SCHEME]: [] }],
    },
    transform: ({ schema, url }) => {
      const { requestHeaders, response, ...others } = schema;
      const headers = requestHeaders === undefined ? {} : { headers: requestHeaders };
      const responses = { ...Object(response), ...PROTOCOL_PROBLEMS };
      return { schema: Object(withNames({ ...others, ...headers, response: responses })), url };
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
  await serveReference(app, title, tryOut);
}
