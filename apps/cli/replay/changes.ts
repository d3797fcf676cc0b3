import { type FocusChanges, isFocusChanges } from '@milepost/projections/focus-changes';
import { isScoreChanges, type ScoreChanges } from '@milepost/projections/score-changes';
import { tableLines } from '../output.ts';

const BAR_CHARACTERS = 30;
const MOST_CHARACTERS = 2_000;

type Bucket = ScoreChanges['distribution'][number];

function bucketName({ direction, at_least, below }: Bucket): string {
  if (below === null) return `${direction}s by ${at_least} or more`;
  return at_least === 0 ? `${direction}s by less than ${below}` : `${direction}s by ${at_least} to ${below}`;
}

/** Bars in proportion; whatever is there at all gets one character. */
function histogram(buckets: readonly Bucket[]): string[] {
  const largest = Math.max(...buckets.map(({ count }) => count));
  const names = buckets.map(bucketName);
  const width = Math.max(...names.map((name) => name.length));
  const digits = String(largest).length;
  return buckets.map(({ count }, index) => {
    const bar = '#'.repeat(Math.ceil((count / Math.max(1, largest)) * BAR_CHARACTERS));
    return `${(names[index] ?? '').padEnd(width)}  ${String(count).padStart(digits)}  ${bar}`.trimEnd();
  });
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : ` (${((part / whole) * 100).toFixed(1)} %)`;
}

const signed = (points: number) => (points > 0 ? `+${points}` : String(points));

function onlyOnOneSide({ only_live, only_replayed }: { only_live: number; only_replayed: number }): string[] {
  return only_live + only_replayed === 0
    ? []
    : [`Besides, ${only_live} are in the live table alone, and ${only_replayed} in the replayed one.`];
}

function scoreLines(changes: ScoreChanges): string[] {
  const { period, compared, changed, changed_dates, drivers, changed_drivers, change } = changes;
  const lines = [
    `Of ${compared} driver ${period}s ${changed} change score or grade${share(changed, compared)}, in ${changed_dates} ${period}s of the calendar and for ${changed_drivers} of ${drivers} drivers${share(changed_drivers, drivers)}.`,
    ...onlyOnOneSide(changes),
  ];
  if (change !== null) {
    lines.push(
      `Change of fm_score: mean ${signed(change.mean)}, median ${signed(change.median)}; by size: mean ${change.mean_size}, 95 % at most ${change.p95_size}, largest ${change.largest_size}.`,
      '',
      'Scores that change, by points:',
      ...histogram(changes.distribution),
    );
  }
  if (changes.grade_transitions.length > 0) {
    const rows = changes.grade_transitions.map(({ from, to, count }) => [from, to, count] as const);
    lines.push('', 'Grades that change:', ...tableLines(['from', 'to', `driver ${period}s`], rows));
  }
  if (changes.largest.length > 0) {
    const rows = changes.largest.map((row) => [
      row.fleet_id,
      row.driver_id,
      row.date,
      row.old_score,
      row.new_score,
      row.old_grade,
      row.new_grade,
    ]);
    const header = [
      'fleet',
      'driver',
      period === 'day' ? 'day' : 'week from',
      'score',
      'new score',
      'grade',
      'new grade',
    ];
    lines.push('', 'The largest changes:', ...tableLines(header, rows));
  }
  return lines;
}

function focusLines(changes: FocusChanges): string[] {
  const { compared, changed, changed_drivers, flags } = changes;
  return [
    `Of ${compared} trips ${changed} change a focus area${share(changed, compared)}, of ${changed_drivers} ${changed_drivers === 1 ? 'driver' : 'drivers'}.`,
    ...onlyOnOneSide(changes),
    ...tableLines(
      ['focus area', 'trips raised', 'trips lowered'],
      flags.map(({ flag, raised, lowered }) => [flag, raised, lowered]),
    ),
  ];
}

/** What a projection has to say about its differences, as lines of text; JSON where this release knows no better. */
export function changesLines(changes: object): string[] {
  if (isScoreChanges(changes)) return scoreLines(changes);
  if (isFocusChanges(changes)) return focusLines(changes);
  return [JSON.stringify(changes).slice(0, MOST_CHARACTERS)];
}
