import type { AuditResource } from '@milepost/operations/audits';
import type { Static } from 'typebox';
import type { Json } from '../client/client.ts';
import { counted, fieldLines, recordLines } from '../output.ts';

type AuditReport = Json<Static<typeof AuditResource>>['report'];
type AuditFault = AuditReport['faults'][number];

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

/** Finds the fault that explains why an audit could not be completed; undefined if it was completed. */
function failureOf(faults: readonly AuditFault[]): AuditFault | undefined {
  return faults.find(({ check }) => check === 'audit_failed');
}

/** Returns the outcome of an audit that found faults, as a sentence. */
export function outcomeSentence({ faults }: AuditReport): string {
  return failureOf(faults)?.detail ?? `The audit found ${counted(faults.length, 'fault')}.`;
}

/** The checks that find faults in the rows of a read table. A replay repairs such faults. */
const ROW_CHECKS: readonly string[] = ['missing_row', 'extra_row', 'differing_row', 'more_rows', 'unreadable_rows'];

function repairLines(faults: readonly AuditFault[]): string[] {
  const rows = faults.filter(({ check }) => ROW_CHECKS.includes(check));
  const names = [...new Set(rows.flatMap(({ projection }) => projection ?? []))];
  const isTableMissing = faults.some(({ check }) => check === 'no_live_generation');
  const migrateLines = isTableMissing ? ['', '`milepost migrate` creates the missing read tables.'] : [];
  if (names.length === 0) return migrateLines;
  const command = `milepost replay start ${names.join(',')} --promote`;
  return [
    ...migrateLines,
    '',
    `To repair the rows, rebuild the tables from the log: \`${command}\`.`,
    'The replay is waiting for you, because these rows differ unexpectedly: check them, then promote with --accept-differences.',
  ];
}

/** Returns an audit as text that ends with a line break: the compared tables, and every fault with its stored events. */
export function auditText(report: AuditReport): string {
  const { position, seconds, faults, equal, projections } = report;
  const took = `${seconds.toFixed(1)} s`;
  const found = failureOf(faults) ? 'it failed' : `${counted(faults.length, 'fault')} found`;
  const lines = [
    `Audit of the log up to position ${position} in ${took}: ${equal ? 'no faults found' : found}.`,
    '',
    ...fieldLines(projections, PROJECTION_FIELDS),
    ...recordLines({ faults }),
    ...repairLines(faults),
  ];
  return `${lines.join('\n')}\n`;
}
