import type { AuditResource } from '@milepost/operations/audits';
import type { Static } from 'typebox';
import type { Json } from '../operate/client.ts';
import { fieldLines } from '../output.ts';

type AuditReport = Json<Static<typeof AuditResource>>['report'];
type AuditFault = AuditReport['faults'][number];
type NamedStoredEvent = AuditFault['positions'][number];

const CONTROL_CHARACTERS = /\p{Cc}/gu;
const MOST_EVENTS = 5;

function eventLine({
  position,
  kind,
  revision,
  driver_id,
  trip_id,
  topic,
  partition,
  offset,
}: NamedStoredEvent): string {
  const about = [trip_id === null ? null : `trip ${trip_id}`, driver_id === null ? null : `driver ${driver_id}`];
  const origin = topic === null ? '' : `, from ${topic}/${partition} offset ${offset}`;
  return (
    [`position ${position}: ${kind}`, ...about.filter((text) => text !== null), `revision ${revision}`].join(', ') +
    origin
  );
}

function faultLines({ check, projection, day, key, detail, positions }: AuditFault): string[] {
  const about = [projection ?? 'log', day, key].filter((text) => text !== null).join(' ');
  const more = positions.length > MOST_EVENTS ? [`    and ${positions.length - MOST_EVENTS} more`] : [];
  return [
    `${about}: ${check.replaceAll('_', ' ')}`,
    `  ${detail}`,
    ...positions.slice(0, MOST_EVENTS).map((event) => `    ${eventLine(event)}`),
    ...more,
  ].map((line) => line.replaceAll(CONTROL_CHARACTERS, '?'));
}

const PROJECTION_FIELDS = [
  'projection',
  'generation',
  'checkpoint',
  'expected_rows',
  'actual_rows',
  'differences',
  'differing_day_count',
  'cutoff',
] as const;

/** How many faults, in words. */
function faultCount({ length }: readonly AuditFault[]): string {
  return length === 1 ? '1 fault' : `${length} faults`;
}

/** The fault of an audit that did not come to its end. */
function failureOf(faults: readonly AuditFault[]): AuditFault | undefined {
  return faults.find(({ check }) => check === 'audit_failed');
}

/** What came of an audit that is not equal, in a sentence. */
export function outcomeSentence({ faults }: AuditReport): string {
  return failureOf(faults)?.detail ?? `The audit found ${faultCount(faults)}.`;
}

/** Faults of a read table, which is made anew from the log. */
const REPAIRED_BY_REPLAY: readonly string[] = [
  'missing_row',
  'extra_row',
  'differing_row',
  'more_rows',
  'unreadable_rows',
];

function repairLines(faults: readonly AuditFault[]): string[] {
  const rows = faults.filter(({ check }) => REPAIRED_BY_REPLAY.includes(check));
  const names = [...new Set(rows.flatMap(({ projection }) => projection ?? []))];
  const isUnmade = faults.some(({ check }) => check === 'no_live_generation');
  const making = isUnmade ? ['', '`milepost migrate` makes the read tables that are missing.'] : [];
  if (names.length === 0) return making;
  const command = `milepost replay start ${names.join(',')} --promote`;
  return [
    ...making,
    '',
    `To repair the rows, build them anew from the log: \`${command}\`.`,
    'It stops before rows that differ unexpectedly, as these do: look at them, then promote with --accept-differences.',
  ];
}

/** An audit for people: what was compared, and every fault with the stored events behind it. Ends with a line end. */
export function auditText(report: AuditReport): string {
  const { position, seconds, faults, equal, projections } = report;
  const took = `${seconds.toFixed(1)} s`;
  const found = failureOf(faults) ? 'it failed' : `${faultCount(faults)} found`;
  const lines = [
    `Audit of the log up to position ${position} in ${took}: ${equal ? 'nothing is wrong' : found}.`,
    '',
    ...fieldLines(projections, PROJECTION_FIELDS),
    ...faults.flatMap((fault) => ['', ...faultLines(fault)]),
    ...repairLines(faults),
  ];
  return `${lines.join('\n')}\n`;
}
