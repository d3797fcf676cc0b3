import { describe, expect, it } from 'vitest';
import { readSettings, SettingError } from './read-settings.ts';
import { tracingSettings } from './tracing-settings.ts';

const read = (environment: Record<string, string>) => readSettings(environment, tracingSettings);
const EVERY_TRACE = { followsParent: true, ratio: 1 };
const ENDPOINT = 'http://collector:4318';

describe('tracing', () => {
  it.each([
    {},
    { OTEL_SERVICE_NAME: 'milepost', OTEL_TRACES_SAMPLER: 'always_on', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' },
  ])('is off with %j', (environment) => {
    expect(read(environment)).toBeUndefined();
  });

  it.each([
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'false' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ENDPOINT}/v1/traces` },
  ])('is on with %j, and records every trace unless the caller does not record it', (environment) => {
    expect(read(environment)).toEqual({ protocol: 'http/protobuf', sampler: EVERY_TRACE });
  });

  it.each([
    ['always_on', { followsParent: false, ratio: 1 }],
    ['always_off', { followsParent: false, ratio: 0 }],
    ['traceidratio', { followsParent: false, ratio: 0.25 }],
    ['parentbased_always_on', EVERY_TRACE],
    ['parentbased_always_off', { followsParent: true, ratio: 0 }],
    ['parentbased_traceidratio', { followsParent: true, ratio: 0.25 }],
  ])('uses the sampler %s', (name, sampler) => {
    const on = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(read(on)?.sampler).toEqual(sampler);
  });

  it.each(['0', '1', '', '1e-3'])('accepts %j as the share of traces', (share) => {
    const on = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: share };
    expect(read(on)?.sampler).toEqual({ followsParent: false, ratio: share === '' ? 1 : Number(share) });
  });

  it.each(['-0.1', '1.1', 'half', 'NaN'])('refuses %j as the share of traces, if the sampler uses a share', (share) => {
    const on = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER_ARG: share };
    expect(() => read({ ...on, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' })).toThrow(`but is "${share}"`);
    expect(read({ ...on, OTEL_TRACES_SAMPLER: 'always_on' })?.sampler.ratio).toBe(1);
  });

  it('prefers the protocol for traces to the general one', () => {
    const general = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
    expect(read(general)?.protocol).toBe('http/json');
    expect(read({ ...general, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' })?.protocol).toBe('http/protobuf');
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'http/protobuf, http/json, but is "grpc"'],
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'always_on, '],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'from 0 to 1, but is "2"'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'must be a URL such as http://'],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'otlp, none, but is "zipkin"'],
  ])('refuses %j', (environment, sentence) => {
    expect(() => read({ OTEL_TRACES_EXPORTER: 'otlp', ...environment })).toThrow(SettingError);
    expect(() => read({ OTEL_TRACES_EXPORTER: 'otlp', ...environment })).toThrow(sentence);
  });

  it.each(['OTEL_LOGS_EXPORTER', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'])(
    'accepts the variable %s, which other programs read',
    (name) => {
      expect(read({ [name]: 'x' })).toBeUndefined();
    },
  );
});
