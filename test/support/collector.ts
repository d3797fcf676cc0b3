import { buffer } from 'node:stream/consumers';
import { serveLocally } from './listen.ts';

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}

interface JsonSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: KeyValue[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
}

/** The body of an export in OTLP's JSON format (https://opentelemetry.io/docs/specs/otlp/). */
interface ExportRequest {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: JsonSpan[] }[] }[];
}

/** A span that the collector received. */
interface ReceivedSpan extends Omit<JsonSpan, 'attributes' | 'links'> {
  /** The `service.name` attribute of the process that sent the span. */
  service: string;
  attributes: Record<string, string | undefined>;
  links: { traceId: string; spanId: string }[];
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Returns the name of a span's kind. */
export const kindOf = ({ kind }: ReceivedSpan): string => KINDS[kind] ?? 'unknown';

function toRecord(attributes: readonly KeyValue[]): Record<string, string | undefined> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? String(value.intValue ?? JSON.stringify(value))]),
  );
}

/**
 * Starts a server that receives spans via OTLP. A silent server accepts connections but never responds.
 */
export async function startCollector(isSilent = false) {
  /** The exports so far. */
  const exports: { path: string | undefined; type: string | undefined; body: Buffer }[] = [];
  let connections = 0;
  const { server, origin, close } = await serveLocally(async (request, response) => {
    if (isSilent) return;
    const { url: path, headers } = request;
    exports.push({ path, type: headers['content-type'], body: await buffer(request) });
    response.setHeader('content-type', headers['content-type'] ?? '').end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  /** Returns the spans in all JSON exports so far. */
  const spans = () =>
    exports
      .filter(({ type }) => type === 'application/json')
      .flatMap(({ body }): ReceivedSpan[] => {
        const { resourceSpans }: ExportRequest = JSON.parse(body.toString());
        return resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans: own }) =>
            own.map((span) => ({
              ...span,
              service: toRecord(resource.attributes)['service.name'] ?? '',
              attributes: toRecord(span.attributes),
              links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
            })),
          ),
        );
      });
  /** Returns the number of connections so far. */
  const countConnections = () => connections;
  return { url: origin, exports, spans, connections: countConnections, close };
}
