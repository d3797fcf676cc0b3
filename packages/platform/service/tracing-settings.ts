import type { TracingSettings } from '@milepost/tracing/settings';
import type { Settings } from './read-settings.ts';

function samplerSettings(settings: Settings): TracingSettings['sampler'] {
  const name = settings.get('OTEL_TRACES_SAMPLER');
  const text = settings.get('OTEL_TRACES_SAMPLER_ARG');
  const share = Number(text);
  const usesShare = name.endsWith('traceidratio');
  if (usesShare && !(share >= 0 && share <= 1))
    settings.refuse(
      'OTEL_TRACES_SAMPLER_ARG',
      `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is "${text}".`,
    );
  const ratio = usesShare ? share : name.endsWith('always_on') ? 1 : 0;
  return { followsParent: name.startsWith('parentbased_'), ratio };
}

/**
 * Reads the tracing settings. An endpoint or OTEL_TRACES_EXPORTER=otlp switches tracing on. Returns undefined when it
 * is off.
 */
export function tracingSettings(settings: Settings): TracingSettings | undefined {
  const endpoints = [settings.get('OTEL_EXPORTER_OTLP_ENDPOINT'), settings.get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')];
  const fallback = endpoints.some((endpoint) => endpoint !== undefined) ? 'otlp' : 'none';
  const exporter = settings.get('OTEL_TRACES_EXPORTER') ?? fallback;
  if (settings.get('OTEL_SDK_DISABLED') === 'true' || exporter === 'none') return undefined;
  const general = settings.get('OTEL_EXPORTER_OTLP_PROTOCOL');
  return {
    protocol: settings.get('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? general,
    sampler: samplerSettings(settings),
  };
}
