import { expect, it } from 'vitest';
import { completeDocument, type OpenApiDocument } from './openapi-document.ts';

const kind = { status: 404, meaning: 'It is gone.', remedy: 'Look elsewhere.', example: 'It is gone.' };

function documentOf(): OpenApiDocument {
  const response = { headers: { 'Retry-After': { schema: { type: 'integer' } } } };
  const example = { examples: { gone: { $ref: '#/components/examples/gone' } } };
  return {
    paths: {
      '/trips': {
        get: {
          parameters: [
            { name: 'driver_id', schema: { type: 'array' } },
            { name: 'trip_id', schema: { type: 'string' } },
            { name: 'page', schema: { type: 'integer' }, example: 2 },
          ],
          responses: { 404: Object.assign(response, { content: example }), 200: {} },
        },
      },
    },
    components: { securitySchemes: { Key: {} } },
  };
}

it('a document keeps its other components, and gets the schemas, headers and examples that it uses', () => {
  const document = documentOf();
  completeDocument(document, new Map([['Trip', { type: 'object' }]]), { gone: kind, unused: kind }, {});
  const { securitySchemes, schemas, headers = {}, examples = {} } = document.components;
  expect(securitySchemes).toEqual({ Key: {} });
  expect(schemas).toEqual({ Trip: { type: 'object' } });
  expect(Object.keys(headers).sort()).toEqual(['Retry-After', 'X-Request-Id']);
  expect(Object.keys(examples)).toEqual(['gone']);
  const { responses } = document.paths['/trips']?.['get'] ?? { responses: {} };
  const requestId = { $ref: '#/components/headers/X-Request-Id' };
  expect(responses['200']?.headers).toEqual({ 'X-Request-Id': requestId });
  expect(responses['404']?.headers).toEqual({
    'X-Request-Id': requestId,
    'Retry-After': { $ref: '#/components/headers/Retry-After' },
  });
});

it('a parameter gets its example, as a list if it may be repeated', () => {
  const document = documentOf();
  completeDocument(document, new Map(), {}, { driver_id: 'driver-1', trip_id: 'trip-1', unknown: 'x' });
  const { parameters = [] } = document.paths['/trips']?.['get'] ?? {};
  expect(parameters.map(({ example }) => example)).toEqual([['driver-1'], 'trip-1', 2]);
});
