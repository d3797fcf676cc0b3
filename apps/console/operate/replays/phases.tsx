import { inWords } from '../figures.ts';
import type { Replay } from '../requests.ts';

const BUILDING = ['filling', 'indexing', 'catching_up', 'verifying', 'waiting', 'promoting', 'promoted'] as const;
const ROLLING_BACK = ['catching_up', 'promoting', 'promoted'] as const;
const LEAVING: Readonly<Partial<Record<Replay['phase'], readonly Replay['phase'][]>>> = {
  cancelling: ['cancelling', 'cancelled'],
  cancelled: ['cancelling', 'cancelled'],
  dropping: ['dropping', 'dropped'],
  dropped: ['dropping', 'dropped'],
};

/** The way of a replay, and where on it this one is. */
export function Phases({ replay: { kind, phase } }: { replay: Pick<Replay, 'kind' | 'phase'> }) {
  const way: readonly Replay['phase'][] = LEAVING[phase] ?? (kind === 'build' ? BUILDING : ROLLING_BACK);
  const at = way.indexOf(phase);
  return (
    <ol class="phases" aria-label="Phases">
      {way.map((one, index) => (
        <li key={one} class={index < at ? 'past' : ''} {...(index === at ? { 'aria-current': 'step' } : {})}>
          {inWords(one)}
        </li>
      ))}
    </ol>
  );
}
