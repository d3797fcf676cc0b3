import { useState } from 'preact/hooks';
import { navigate } from '../../shared/hash.ts';
import { Flag } from '../../shared/text-field.tsx';
import { changes } from '../api.ts';
import { ChangeButton } from '../change-button.tsx';
import { hrefOf } from '../lane.ts';
import { status } from '../live/follow-status.ts';
import { parseThrottle } from './throttle.ts';
import { ThrottleField } from './throttle-field.tsx';

const ALL = 'all';

/** Starts a replay of one projection or of all. */
export function StartReplay() {
  const [projection, setProjection] = useState(ALL);
  const [isPromoting, setPromoting] = useState(false);
  const [acceptsDifferences, setAcceptsDifferences] = useState(false);
  const [throttle, setThrottle] = useState('auto');
  const names = [ALL, ...(status.value?.projections.map(({ name }) => name) ?? [])];
  const parsedThrottle = parseThrottle(throttle);
  return (
    <ChangeButton
      label="Start a replay"
      action="Start"
      className="primary"
      isReady={parsedThrottle !== null}
      request={() =>
        changes.startReplay({
          projection,
          throttle: parsedThrottle ?? 'auto',
          ...(isPromoting ? { promote: true, accept_differences: acceptsDifferences } : {}),
        })
      }
      onDone={({ id }) => navigate(hrefOf({ view: 'replay', id }))}
    >
      <p>
        A replay builds new generations of read tables from the event log and compares them with the live ones. Readers
        see no change until you promote the replay. Until it is promoted, you can cancel it.
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
      <Flag label="Promote after verification" isOn={isPromoting} onChange={setPromoting} />
      {isPromoting && (
        <Flag label="Promote despite differences" isOn={acceptsDifferences} onChange={setAcceptsDifferences} />
      )}
    </ChangeButton>
  );
}
