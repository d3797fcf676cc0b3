import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems.ts';

/** Parses bodies as JSON and refuses other types. An empty body with any Content-Type counts as absent. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text === '') done(null, undefined);
    else parse(request, text, done);
  });
  app.addContentTypeParser('*', (_request, _payload, done) => {
    const detail = 'The body must be JSON, and the Content-Type header must be application/json.';
    done(new Problem('unsupported_media_type', detail));
  });
}
