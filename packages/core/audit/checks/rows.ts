import { sqlState, type Transaction } from '@milepost/postgres';
import {
  type Audit,
  type Comparison,
  type ComparisonResult,
  compareRows,
  describeFields,
  sidesOf,
  tableOf,
} from '@milepost/projections/engine';
import { type AuditCheck, type AuditFault, faultOf } from '../report.ts';
import { findCauses, type NamedStoredEvent } from '../stored-events.ts';
import type { AuditedGeneration } from './checkpoints.ts';

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
  { left, right }: ComparisonResult['samples'][number],
  checkpoint: number,
  causes: readonly NamedStoredEvent[],
): { check: AuditCheck; detail: string } {
  const early = causes.find(({ position }) => position > checkpoint);
  const note = early
    ? ` The stored event at position ${early.position} concerns this row, but is past the checkpoint ${checkpoint}.`
    : '';
  if (left === null) {
    const known = causes.length === 0 ? ', which contains no stored event about it' : '';
    return {
      check: 'extra_row',
      detail: `The read table has this row, but it does not follow from the log${known}.${note}`,
    };
  }
  if (right === null) {
    return {
      check: 'missing_row',
      detail: `This row follows from the log, but is missing from the read table.${note}`,
    };
  }
  return {
    check: 'differing_row',
    detail: `In this row ${describeFields(Object.keys(audit.fields), left, right)}.${note}`,
  };
}

function describeRest(result: ComparisonResult, shown: number): string | null {
  const days = result.differing_day_count === 1 ? '1 day' : `${result.differing_day_count} days`;
  const more = result.differences - shown;
  if (more <= 0) return null;
  const [wrong, belong] = more === 1 ? ['row is', 'it belongs'] : ['rows are', 'they belong'];
  return `${more} more ${wrong} wrong. Together with the rows shown, ${belong} to ${days}.`;
}

/** SQLSTATE class 22 (data exception), which occurs when the audit cannot read a value in the table. */
const DATA_EXCEPTION = /^22/;

/**
 * Compares rows. An unreadable value, such as text in place of a number, becomes a fault in the report instead of
 * ending the audit.
 */
async function compare(
  transaction: Transaction,
  comparison: Comparison,
): Promise<{ result: ComparisonResult; unreadable: string | null }> {
  try {
    const result = await transaction.inSavepoint(async () => await compareRows(transaction, comparison));
    return { result, unreadable: null };
  } catch (error) {
    if (!DATA_EXCEPTION.test(sqlState(error) ?? '')) throw error;
    return { result: NOTHING_COMPARED, unreadable: String(error) };
  }
}

/**
 * Computes the rows of a live generation from the log, up to its checkpoint, and reports how the stored rows differ.
 */
export async function checkRows(
  transaction: Transaction,
  audit: Audit,
  { projection, generation, version, checkpoint, cutoff }: AuditedGeneration,
) {
  const started = performance.now();
  const { result, unreadable } = await compare(transaction, {
    ...sidesOf(audit, tableOf(projection, generation)),
    parameters: [checkpoint],
    cutoff,
  });
  const causes = await findCauses(transaction, audit.causes, result.samples);
  const faults = result.samples.map((sample, index): AuditFault => {
    const positions = causes[index] ?? [];
    const { day, key } = sample;
    return { ...describe(audit, sample, checkpoint, positions), projection, day, key, positions };
  });
  if (unreadable !== null) {
    const detail = `The read table contains a value that cannot be read, so its rows were not compared: ${unreadable}`;
    faults.push(faultOf('unreadable_rows', projection, detail));
  }
  const rest = describeRest(result, faults.length);
  if (rest !== null) faults.push(faultOf('more_rows', projection, rest));
  const audited = {
    projection,
    generation,
    version,
    checkpoint,
    /** Earlier days are not compared, because the generation does not keep them. */
    cutoff,
    expected_rows: result.left_rows,
    actual_rows: result.right_rows,
    /** The number of missing, surplus and differing rows. */
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
