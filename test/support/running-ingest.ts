import { readKafkaConfig } from '@milepost/kafka/config';
import { runKafkaIngest } from '../../apps/ingest/kafka/run.ts';
import type { IngestLanes } from '../../apps/ingest/lanes.ts';
import { onlyLane } from './ingest-lanes.ts';
import type { Pipeline } from './pipeline.ts';
import { recordedLog } from './recorded-log.ts';

/** A line in ingest's log. */
export interface LogLine {
  level: number;
  message: string;
  reason?: string;
  topic?: string;
  delay_milliseconds?: number;
  error?: object;
}

/** Runs ingest in this process, by default with one lane, until `stop` is called. */
export function startIngest(
  log: Pick<Pipeline, 'ingest'>,
  settings: Record<string, string>,
  openLanes: () => Promise<IngestLanes> = async () => onlyLane(log.ingest),
): { lines: LogLine[]; stop: () => Promise<void> } {
  const { logger, lines } = recordedLog<LogLine>();
  const stopped = new AbortController();
  const config = readKafkaConfig(settings);
  const running = runKafkaIngest({ pool: log.ingest, openLanes, config, logger, signal: stopped.signal });
  return {
    lines,
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
