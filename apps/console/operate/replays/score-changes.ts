type Score = number | null;

export interface ScoreChanges {
  period: 'day' | 'week';
  compared: number;
  changed: number;
  drivers: number;
  changed_drivers: number;
  /** New score minus old score, over the changed scores. */
  change: { mean: number; median: number; largest_size: number } | null;
  /** The number of changes by size in points, from `at_least` to less than `below` (null for no limit). */
  distribution: { direction: 'fall' | 'rise'; at_least: number; below: Score; count: number }[];
  grade_transitions: { from: string | null; to: string | null; count: number }[];
  largest: {
    fleet_id: string;
    driver_id: string;
    date: string;
    old_score: Score;
    new_score: Score;
    old_grade: string | null;
    new_grade: string | null;
  }[];
}

class WrongShape extends Error {}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new WrongShape();
  return Object.fromEntries(Object.entries(value));
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new WrongShape();
  return value;
}

function stringOf(value: unknown): string {
  if (typeof value !== 'string') throw new WrongShape();
  return value;
}

function orNull<Value>(read: (value: unknown) => Value): (value: unknown) => Value | null {
  return (value) => (value === null ? null : read(value));
}

function listOf<Value>(value: unknown, read: (fields: Record<string, unknown>) => Value): Value[] {
  if (!Array.isArray(value)) throw new WrongShape();
  return value.map((each) => read(fieldsOf(each)));
}

const scoreOf = orNull(numberOf);
const gradeOf = orNull(stringOf);

function scoreChangesOf(value: unknown): ScoreChanges | null {
  const report = fieldsOf(value);
  if (report['kind'] !== 'score_changes') return null;
  const change = report['change'] === null ? null : fieldsOf(report['change']);
  return {
    period: report['period'] === 'week' ? 'week' : 'day',
    compared: numberOf(report['compared']),
    changed: numberOf(report['changed']),
    drivers: numberOf(report['drivers']),
    changed_drivers: numberOf(report['changed_drivers']),
    change: change && {
      mean: numberOf(change['mean']),
      median: numberOf(change['median']),
      largest_size: numberOf(change['largest_size']),
    },
    distribution: listOf(report['distribution'], (bucket) => ({
      direction: bucket['direction'] === 'fall' ? 'fall' : 'rise',
      at_least: numberOf(bucket['at_least']),
      below: scoreOf(bucket['below']),
      count: numberOf(bucket['count']),
    })),
    grade_transitions: listOf(report['grade_transitions'], (each) => ({
      from: gradeOf(each['from']),
      to: gradeOf(each['to']),
      count: numberOf(each['count']),
    })),
    largest: listOf(report['largest'], (each) => ({
      fleet_id: stringOf(each['fleet_id']),
      driver_id: stringOf(each['driver_id']),
      date: stringOf(each['date']),
      old_score: scoreOf(each['old_score']),
      new_score: scoreOf(each['new_score']),
      old_grade: gradeOf(each['old_grade']),
      new_grade: gradeOf(each['new_grade']),
    })),
  };
}

/**
 * Parses the score changes of a verification. Null for the changes of other read tables, and for a report from an
 * earlier release with a different format.
 */
export function readScoreChanges(value: unknown): ScoreChanges | null {
  if (value === null) return null;
  try {
    return scoreChangesOf(value);
  } catch (error) {
    if (error instanceof WrongShape) return null;
    throw error;
  }
}
