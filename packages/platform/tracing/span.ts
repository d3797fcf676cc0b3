import type { IncomingHttpHeaders } from 'node:http';
import type { Attributes, Context, Link, Span, SpanKind, TextMapPropagator, Tracer } from '@opentelemetry/api';

/** The maximum number of links in a span, which is also the SDK's default. */
export const MAX_LINKS = 128;

/** The OpenTelemetry parts that spans need. They are loaded only when tracing is on. */
export interface Loaded {
  api: typeof import('@opentelemetry/api');
  tracer: Tracer;
  /** Reads `traceparent` and `tracestate`. */
  propagator: TextMapPropagator;
}

let loaded: Loaded | undefined;

/** Switches tracing on or, with undefined, off. */
export function setTracing(value: Loaded | undefined): void {
  loaded = value;
}

/** Whether this process records spans. */
export function isTracing(): boolean {
  return loaded !== undefined;
}

interface SpanDescription {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  /** The headers of a request, whose `traceparent` identifies the parent. */
  headers?: IncomingHttpHeaders;
  /** The context that contains the parent. Without a context and without `headers`, the span begins a trace. */
  parent?: Context | undefined;
  links?: Link[];
}

/** The code or the name of an error. An error's message may contain values, so it is not part of a span. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** A span that has not ended. */
export class OpenSpan {
  readonly #api: Loaded['api'];
  readonly #span: Span;
  readonly #context: Context;

  constructor({ api, tracer, propagator }: Loaded, name: string, description: SpanDescription) {
    const { kind = 'INTERNAL', attributes = {}, headers, links = [], parent = api.ROOT_CONTEXT } = description;
    const from = headers ? propagator.extract(parent, headers, api.defaultTextMapGetter) : parent;
    this.#api = api;
    this.#span = tracer.startSpan(name, { kind: api.SpanKind[kind], attributes, links }, from);
    this.#context = api.trace.setSpan(from, this.#span);
  }

  /** Runs `work` inside the span without ending the span. */
  run<Result>(work: () => Result): Result {
    return this.#api.context.with(this.#context, work);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Ends the span. If its work failed, `error` is the error or its type. */
  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setAttribute('error.type', typeOf(error));
      this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/**
 * Begins a span, which the caller ends. A span that never ends is not exported.
 *
 * @param describe called only when tracing is on
 * @returns undefined when tracing is off
 */
export function openSpan(name: string, describe: () => SpanDescription): OpenSpan | undefined {
  return loaded && new OpenSpan(loaded, name, describe());
}

/** Runs `work` inside a span, if there is one, without ending it. */
export function run<Result>(span: OpenSpan | undefined, work: () => Result): Result {
  return span ? span.run(work) : work();
}

/** Runs `work` inside a span, if there is one, and then ends the span. */
export async function runAndEnd<Result>(span: OpenSpan | undefined, work: () => Promise<Result>): Promise<Result> {
  if (!span) return await work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Runs `work` in a child span of the active one. Without a sampled active span, it only runs `work`. */
export function inSpan<Result>(
  name: string,
  work: () => Promise<Result>,
  describe: () => SpanDescription = () => ({}),
): Promise<Result> {
  if (!loaded?.api.trace.getActiveSpan()?.isRecording()) return work();
  const description = { parent: loaded.api.context.active(), ...describe() };
  return runAndEnd(new OpenSpan(loaded, name, description), work);
}

const describeStatement = (name: string) => (): SpanDescription => ({
  kind: 'CLIENT',
  attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
});

/**
 * Runs an SQL statement in a child span of the active one. The span contains the statement's name but never its values.
 */
export function inStatement<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return loaded === undefined ? work() : inSpan(name, work, describeStatement(name));
}

/** Returns the context of the running code; undefined when tracing is off. */
export function activeContext(): Context | undefined {
  return loaded?.api.context.active();
}

/** Returns links to the spans of other contexts and to those in `traceparent` headers, up to `MAX_LINKS` in total. */
export function linksTo(origins: Iterable<Context | string | null | undefined>): Link[] {
  if (loaded === undefined) return [];
  const { api, propagator } = loaded;
  const links = new Map<string, Link>();
  for (const origin of origins) {
    if (links.size === MAX_LINKS) break;
    if (!origin) continue;
    const from =
      typeof origin === 'string'
        ? propagator.extract(api.ROOT_CONTEXT, { traceparent: origin }, api.defaultTextMapGetter)
        : origin;
    const context = api.trace.getSpanContext(from);
    if (context) links.set(`${context.traceId}${context.spanId}`, { context });
  }
  return [...links.values()];
}

/** Returns the fields that lead from a log line to the active span; no fields if there is no active span. */
export function logFields(): { trace_id?: string; span_id?: string } {
  const context = loaded?.api.trace.getActiveSpan()?.spanContext();
  return context ? { trace_id: context.traceId, span_id: context.spanId } : {};
}
