import type { Capacity } from './capacity.ts';

const COUNT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Returns a size in a suitable unit: MB, GB or TB. */
function sizeText(gigabytes: number): string {
  if (gigabytes >= 1_000) return `${COUNT.format(gigabytes / 1_000)} TB`;
  return gigabytes >= 1 ? `${COUNT.format(gigabytes)} GB` : `${COUNT.format(gigabytes * 1_000)} MB`;
}

/** Returns an estimate as human-readable lines, each with a resource, its amount and the unit. */
export function sizeRows(capacity: Capacity): [string, string][] {
  return [
    ['trips in the busiest hour', `${COUNT.format(capacity.peak_trips_per_second)}/s`],
    ['network to ingest in the busiest hour', `${COUNT.format(capacity.peak_megabits_per_second)} Mbit/s`],
    ['stored trips', WHOLE.format(capacity.kept_trips)],
    ['disk space for PostgreSQL', sizeText(capacity.database_gigabytes)],
    ['disk space for Kafka (7 days, one replica)', sizeText(capacity.kafka_gigabytes)],
    ['processors', WHOLE.format(capacity.processors)],
    ['memory', sizeText(capacity.memory_gigabytes)],
    ['ingest processes', WHOLE.format(capacity.ingest_processes)],
    ['projector processes', WHOLE.format(capacity.projector_processes)],
    ['API processes', WHOLE.format(capacity.api_processes)],
    ['partitions in the trips topic', WHOLE.format(capacity.partitions)],
    ['lanes', WHOLE.format(capacity.lanes)],
    ['replay of all read tables', `${COUNT.format(capacity.replay_hours)} h`],
  ];
}
