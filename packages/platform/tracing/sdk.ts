import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SamplerSettings, TracingSettings } from './settings.ts';
import { type Loaded, MAX_LINKS } from './span.ts';

/** While this many spans are waiting to be exported, new spans are dropped. */
const MAX_QUEUED_SPANS = 2_048;
const REPORT_INTERVAL_MILLISECONDS = 60_000;

/** Returns a function that calls `report` at most once a minute. */
function sparsely(report: (reason: string) => void): (error: unknown) => void {
  let next = 0;
  return (error) => {
    const now = performance.now();
    if (now < next) return;
    next = now + REPORT_INTERVAL_MILLISECONDS;
    report(error instanceof Error ? error.message || error.name : String(error));
  };
}

function samplerOf({ followsParent, ratio }: SamplerSettings): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return followsParent ? new ParentBasedSampler({ root }) : root;
}

/** Creates a process's tracer and its exporter. The exporter reads its own variables, such as the endpoint. */
export function createTracing(
  { protocol, sampler }: TracingSettings,
  name: string,
  onError: (reason: string) => void,
): { loaded: Loaded; shutdown: () => Promise<void> } {
  const report = sparsely(onError);
  setGlobalErrorHandler(report);
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // Later resources take precedence.
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector, serviceInstanceIdDetector];
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': `milepost-${name}` }))
    .merge(detectResources({ detectors }));
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(sampler),
    spanLimits: { linkCountLimit: MAX_LINKS },
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUED_SPANS })],
  });
  const tracer = provider.getTracer('milepost');
  const loaded = { api, tracer, propagator: new W3CTraceContextPropagator() };
  return { loaded, shutdown: async () => await provider.shutdown().catch(report) };
}
