import { useState } from 'preact/hooks';
import { go } from '../../shared/hash.ts';
import { ChangeButton } from '../change-button.tsx';
import { status } from '../live/follow-status.ts';
import { changes } from '../requests.ts';
import { hrefOf } from '../route.ts';
import { ThrottleField, throttleOf } from './throttle-field.tsx';

const ALL = 'all';

function Flag({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label class="flag">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  );
}

/** Starts a replay of one read table or of all. */
export function StartReplay() {
  const [projection, setProjection] = useState(ALL);
  const [isPromoting, setPromoting] = useState(false);
  const [acceptsDifferences, setAccepts] = useState(false);
  const [throttle, setThrottle] = useState('auto');
  const names = [ALL, ...(status.value?.projections.map(({ name }) => name) ?? [])];
  const wanted = throttleOf(throttle);
  return (
    <ChangeButton
      label="Start a replay"
      title="Start a replay"
      action="Start"
      className="primary"
      isReady={wanted !== null}
      request={() =>
        changes.startReplay({
          projection,
          throttle: wanted ?? 'auto',
          ...(isPromoting ? { promote: true, accept_differences: acceptsDifferences } : {}),
        })
      }
      onDone={(answer) => answer && go(hrefOf({ view: 'replay', id: answer.id }))}
    >
      <p>
        It builds read tables anew from the event log beside the live ones, and compares the two. Readers see no change
        until it is promoted. Until then it can be cancelled.
      </p>
      <label>
        Projection
        <select value={projection} onChange={({ currentTarget }) => setProjection(currentTarget.value)}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ThrottleField text={throttle} onChange={setThrottle} />
      <Flag label="Promote it once it is verified" isOn={isPromoting} onChange={setPromoting} />
      {isPromoting && <Flag label="Promote it whatever differs" isOn={acceptsDifferences} onChange={setAccepts} />}
    </ChangeButton>
  );
}
