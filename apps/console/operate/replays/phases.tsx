import type { Replay } from '../api.ts';
import { wordsOf } from '../text.ts';

const BUILDING = ['filling', 'indexing', 'catching_up', 'verifying', 'waiting', 'promoting', 'promoted'] as const;
const ROLLING_BACK = ['catching_up', 'promoting', 'promoted'] as const;
const ENDINGS: readonly (readonly Replay['phase'][])[] = [
  ['cancelling', 'cancelled'],
  ['dropping', 'dropped'],
];

/** The phases of a replay, with the current one marked. */
export function Phases({ replay: { kind, phase } }: { replay: Pick<Replay, 'kind' | 'phase'> }) {
  const ending = ENDINGS.find((each) => each.includes(phase));
  const phases: readonly Replay['phase'][] = ending ?? (kind === 'build' ? BUILDING : ROLLING_BACK);
  const current = phases.indexOf(phase);
  return (
    <ol class="phases" aria-label="Phases">
      {phases.map((one, index) => (
        <li key={one} class={index < current ? 'past' : ''} {...(index === current ? { 'aria-current': 'step' } : {})}>
          {wordsOf(one)}
        </li>
      ))}
    </ol>
  );
}
