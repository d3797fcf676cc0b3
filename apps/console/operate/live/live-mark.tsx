import { clockText } from '../../shared/calendar-text.ts';
import { live } from './follow-status.ts';

/** Says at the top of every view whether it shows this moment, or since when it does not. */
export function LiveMark() {
  const state = live.value;
  return (
    <p class={`live ${state.state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {state.state === 'live' && 'Live'}
      {state.state === 'connecting' && 'Connecting …'}
      {state.state === 'lost' && (
        <>
          Not live{state.since !== null && <>: as of {clockText(state.since)} UTC</>}. <span>{state.reason}</span>
        </>
      )}
    </p>
  );
}
