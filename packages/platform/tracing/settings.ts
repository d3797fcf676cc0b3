/** The settings of tracing. */
export interface TracingSettings {
  protocol: 'http/protobuf' | 'http/json';
  sampler: SamplerSettings;
}

/** Which traces are recorded. */
export interface SamplerSettings {
  /** If true, the caller that began a trace decides whether it is recorded. */
  followsParent: boolean;
  /** The share of the other traces, from 0 to 1. */
  ratio: number;
}
