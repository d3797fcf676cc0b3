import type { TracingSettings } from '@milepost/tracing/settings';
import { address, type Environment, flag, oneOf, optionalText, refuse } from './settings.ts';

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Reads OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG. */
function samplerSettings(environment: Environment): TracingSettings['sampler'] {
  const name = oneOf(environment, 'OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on');
  const text = optionalText(environment, 'OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const share = Number(text);
  const usesShare = name.endsWith('traceidratio');
  if (usesShare && !(share >= 0 && share <= 1))
    refuse('OTEL_TRACES_SAMPLER_ARG', `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is "${text}".`);
  const ratio = usesShare ? share : name.endsWith('always_on') ? 1 : 0;
  return { followsParent: name.startsWith('parentbased_'), ratio };
}

/**
 * Reads the settings of tracing, which OpenTelemetry defines. An endpoint or OTEL_TRACES_EXPORTER=otlp switches it on.
 * Undefined when it is off. Throws SettingError.
 */
export function tracingSettings(environment: Environment): TracingSettings | undefined {
  const endpoints = (['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const).map((name) =>
    address(environment, name, ['http', 'https']),
  );
  const fallback = endpoints.some((endpoint) => endpoint !== undefined) ? 'otlp' : 'none';
  const exporter = oneOf(environment, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'], fallback);
  if (flag(environment, 'OTEL_SDK_DISABLED', false) || exporter === 'none') return undefined;
  const general = oneOf(environment, 'OTEL_EXPORTER_OTLP_PROTOCOL', PROTOCOLS, 'http/protobuf');
  return {
    protocol: oneOf(environment, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', PROTOCOLS, general),
    sampler: samplerSettings(environment),
  };
}
