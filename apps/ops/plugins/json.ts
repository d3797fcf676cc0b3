import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems.ts';

/** Reads bodies as JSON and refuses every other kind. An empty body counts as absent, whatever Content-Type announces. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text === '') done(null, undefined);
    else parse(request, text, done);
  });
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(
      new Problem('unsupported_media_type', 'The body must be JSON, with the header Content-Type: application/json.'),
    );
  });
}
