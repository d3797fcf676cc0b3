import { sqlState, type Transaction } from '@milepost/postgres';
import {
  type Audit,
  type Comparison,
  type ComparisonResult,
  compareRows,
  describeFields,
  type RowDifference,
  tableOf,
} from '@milepost/projections/engine';
import type { AuditedGeneration } from '../audited-generations.ts';
import { type AuditCheck, type AuditedProjection, type AuditFault, faultOf, type NamedStoredEvent } from '../report.ts';
import { nameBehind } from '../stored-events.ts';

const NOTHING_COMPARED: ComparisonResult = {
  left_rows: 0,
  right_rows: 0,
  differences: 0,
  differing_day_count: 0,
  differing_days: [],
  samples: [],
};

function describe(
  audit: Audit,
  { left, right }: RowDifference,
  checkpoint: number,
  behind: readonly NamedStoredEvent[],
): { check: AuditCheck; detail: string } {
  const early = behind.find(({ position }) => position > checkpoint);
  const note = early ? ` Position ${early.position} is about it, which is past the checkpoint ${checkpoint}.` : '';
  if (left === null) {
    const known = behind.length === 0 ? ', which knows nothing of it' : '';
    return { check: 'extra_row', detail: `The read table has this row, and by the log it should not${known}.${note}` };
  }
  if (right === null) {
    return { check: 'missing_row', detail: `By the log there should be this row, and the read table lacks it.${note}` };
  }
  return { check: 'differing_row', detail: `In this row ${describeFields(audit.fields, left, right)}.${note}` };
}

function describeRest(result: ComparisonResult, shown: number): string | null {
  const days = result.differing_day_count === 1 ? '1 day' : `${result.differing_day_count} days`;
  const more = result.differences - shown;
  return more > 0 ? `${more} more rows are not as they should be; with those shown they are on ${days}.` : null;
}

/** Class 22 of SQLSTATE, data exceptions: a value in the table is nothing that the audit can read. */
const DATA_EXCEPTION = /^22/;

/**
 * Compares, unless a row holds what cannot be read, such as a text for a number: that is one more fault, and not the end of
 * the audit.
 */
async function compare(
  transaction: Transaction,
  comparison: Comparison,
): Promise<{ result: ComparisonResult; unreadable: string | null }> {
  try {
    const result = await transaction.undoable(async () => await compareRows(transaction, comparison));
    return { result, unreadable: null };
  } catch (error) {
    if (!DATA_EXCEPTION.test(sqlState(error) ?? '')) throw error;
    return { result: NOTHING_COMPARED, unreadable: String(error) };
  }
}

/** Compares the rows of a live generation with those that the log up to its checkpoint implies, and names what differs. */
export async function checkRows(
  transaction: Transaction,
  audit: Audit,
  { projection, generation, version, checkpoint, cutoff }: AuditedGeneration,
): Promise<{ audited: AuditedProjection; faults: AuditFault[] }> {
  const started = performance.now();
  const { result, unreadable } = await compare(transaction, {
    left: audit.expected,
    right: audit.actual(tableOf(projection, generation)),
    parameters: [checkpoint],
    cutoff,
  });
  const behind = await nameBehind(transaction, audit.behind, result.samples);
  const faults = result.samples.map((sample, index): AuditFault => {
    const positions = behind[index] ?? [];
    const { day, key } = sample;
    return { ...describe(audit, sample, checkpoint, positions), projection, day, key, positions };
  });
  if (unreadable !== null) {
    const detail = `The read table holds a value that cannot be read, so its rows were not compared: ${unreadable}`;
    faults.push(faultOf('unreadable_rows', projection, detail));
  }
  const rest = describeRest(result, faults.length);
  if (rest !== null) {
    faults.push(faultOf('more_rows', projection, rest));
  }
  const audited: AuditedProjection = {
    projection,
    generation,
    version,
    checkpoint,
    cutoff,
    expected_rows: result.left_rows,
    actual_rows: result.right_rows,
    differences: result.differences,
    differing_day_count: result.differing_day_count,
    differing_days: result.differing_days.map(({ day, left_rows, right_rows }) => ({
      day,
      expected_rows: left_rows,
      actual_rows: right_rows,
    })),
    seconds: (performance.now() - started) / 1000,
  };
  return { audited, faults };
}
