import { isTracing, type OpenSpan, openSpan, run } from '@milepost/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Probes and scrapes arrive every few seconds, and their traces would not be useful. */
const UNTRACED_ROUTES: readonly (string | undefined)[] = ['/healthz', '/readyz', '/metrics'];

function openRequest({ method, headers, routeOptions: { url: route } }: FastifyRequest): OpenSpan | undefined {
  if (UNTRACED_ROUTES.includes(route)) return undefined;
  // The path and the query contain driver ids, so the span contains only the route.
  const attributes = { 'http.request.method': method, 'url.scheme': 'http', ...(route ? { 'http.route': route } : {}) };
  return openSpan(route ? `${method} ${route}` : method, () => ({ kind: 'SERVER', headers, attributes }));
}

function endRequest(span: OpenSpan, { raw, statusCode }: FastifyReply): void {
  if (raw.headersSent) span.set({ 'http.response.status_code': statusCode });
  const error = statusCode >= 500 ? String(statusCode) : undefined;
  span.end(raw.headersSent ? error : 'aborted');
}

/**
 * Records a span for each request, as a child of the span in its `traceparent`. This function must add its hooks first,
 * so that all other hooks run inside the span.
 */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const span = openRequest(request);
    if (!span) return done();
    spans.set(request, span);
    // 'close' is emitted exactly once, whether the response was sent or the client disconnected.
    reply.raw.once('close', () => endRequest(span, reply));
    span.run(done);
  });
  // Events about a request's body and about the end of its response arrive outside the span.
  app.addHook('preValidation', (request, _reply, done) => run(spans.get(request), done));
  app.addHook('onResponse', (request, _reply, done) => run(spans.get(request), done));
}
