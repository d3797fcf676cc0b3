/** The tracing settings. */
export interface TracingSettings {
  protocol: 'http/protobuf' | 'http/json';
  sampler: SamplerSettings;
}

/** Which traces are recorded. */
export interface SamplerSettings {
  /** If true, the caller that began a trace decides whether the trace is recorded. */
  followsParent: boolean;
  /** The fraction of other traces to record, from 0 to 1. */
  ratio: number;
}
