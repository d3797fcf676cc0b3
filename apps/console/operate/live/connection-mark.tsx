import { clockText } from '../../shared/calendar-text.ts';
import { connection } from './follow-status.ts';

const LABELS = { connecting: 'Connecting …', live: 'Live', lost: 'Not live' } as const;

/** Shows in the header whether the data is live. */
export function ConnectionMark() {
  const { state } = connection.value;
  return (
    <p class={`live ${state}`}>
      <span class="dot" aria-hidden="true" />
      {LABELS[state]}
    </p>
  );
}

/** Shows a notice below the header if the data is not live, with the reason and how old the data is. */
export function ConnectionNotice() {
  const current = connection.value;
  return (
    <div role="status" class="notice">
      {current.state === 'lost' && (
        <p>
          Not live{current.since !== null && <>: as of {clockText(current.since)} UTC</>}. {current.reason}
        </p>
      )}
    </div>
  );
}
