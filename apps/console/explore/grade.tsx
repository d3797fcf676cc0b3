import { isCalendarDate } from '@milepost/domain/calendar';
import { EXCELLENT_FROM, FAIR_FROM, GOOD_FROM } from '@milepost/domain/score-figures';
import { decimal, NONE } from '../shared/format.ts';
import type { Summary } from './api.ts';
import { hrefOf, type Period } from './route.ts';

/** The grades, best first, each with its range of scores. */
export const BANDS = [
  ['excellent', EXCELLENT_FROM, 100],
  ['good', GOOD_FROM, EXCELLENT_FROM],
  ['fair', FAIR_FROM, GOOD_FROM],
  ['poor', 0, FAIR_FROM],
] as const;

/** A score with its grade. The grade is also shown as text, because not everyone can distinguish the colours. */
export function Score({ score, grade }: { score: number; grade: string | null }) {
  return (
    <span class={`grade ${grade}`}>
      <b>{decimal(score)}</b> {grade}
    </span>
  );
}

interface ScoreLinkProps {
  period: Period;
  date: string;
  driverId: string;
  summary: Pick<Summary, 'fm_score' | 'fm_grade'>;
}

/** A summary's score as a link to its explanation; a dash if there is no score. */
export function ScoreLink({ period, date, driverId, summary: { fm_score, fm_grade } }: ScoreLinkProps) {
  if (fm_score === null || !isCalendarDate(date)) return NONE;
  return (
    <a class="bare" href={hrefOf({ view: 'score', period, date, driverId })}>
      <Score score={fm_score} grade={fm_grade} />
      <span class="unseen">, why this score</span>
    </a>
  );
}

type Focus = Readonly<Record<string, boolean>>;

/** The names of the focus areas whose flag is true, such as `is_phone_use`. */
export function namesInFocus(focus: Focus): string[] {
  return Object.keys(focus).filter((name) => focus[name]);
}

/** The focus areas whose flag is true. */
export function FocusAreas({ focus }: { focus: Focus }) {
  const names = namesInFocus(focus);
  if (names.length === 0) return <span class="quiet">none</span>;
  return (
    <span class="chips">
      {names.map((name) => (
        <span key={name} class="chip">
          {name.replace('is_', '').replaceAll('_', ' ')}
        </span>
      ))}
    </span>
  );
}
