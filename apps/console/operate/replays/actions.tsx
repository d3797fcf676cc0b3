import { useState } from 'preact/hooks';
import { go } from '../../shared/hash.ts';
import { ChangeButton } from '../change-button.tsx';
import { counted } from '../figures.ts';
import { changes, type Replay } from '../requests.ts';
import { hrefOf } from '../route.ts';
import { hasEnded } from './progress.tsx';
import { ThrottleField, throttleOf } from './throttle-field.tsx';

interface ActionProperties {
  replay: Replay;
  onDone: () => void;
}

function Promote({ replay, onDone }: ActionProperties) {
  const { id, verification } = replay;
  const [isAccepted, setAccepted] = useState(false);
  const isUnexpected = verification !== null && !verification.expected;
  return (
    <ChangeButton
      label="Promote"
      title={`Promote replay ${id}`}
      className="primary"
      isReady={!isUnexpected || isAccepted}
      request={() => changes.promoteReplay(id, isAccepted)}
      onDone={onDone}
    >
      <p>
        It makes live what the replay has built{replay.phase === 'waiting' ? '' : ', once it is verified'}. What is live
        now is kept: <b>Roll back</b> in this view undoes it, until that generation is dropped.
      </p>
      {isUnexpected && (
        <label class="flag">
          <input
            type="checkbox"
            checked={isAccepted}
            onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
          />
          Promote although {counted(verification.differences, 'row')} differ and no changed version explains it
        </label>
      )}
    </ChangeButton>
  );
}

function Throttle({ replay, onDone }: ActionProperties) {
  const [text, setText] = useState(String(replay.throttle));
  const wanted = throttleOf(text);
  return (
    <ChangeButton
      label={`Throttle: ${replay.throttle}`}
      title={`Throttle replay ${replay.id}`}
      action="Set the throttle"
      isReady={wanted !== null}
      request={() => changes.throttleReplay(replay.id, wanted ?? 'auto')}
      onDone={onDone}
    >
      <p>
        <code>auto</code> goes as fast as readers and the live projections allow, <code>off</code> as fast as it can.
        The worker follows within a second, and another throttle can be set at any time.
      </p>
      <ThrottleField text={text} onChange={setText} />
    </ChangeButton>
  );
}

/** What may be done with a replay as it stands. */
export function Actions({ replay, onDone }: ActionProperties) {
  const { id, phase, halted, projection, live, can_be_rolled_back } = replay;
  const isOpen = !hasEnded(replay);
  const isLeaving = phase === 'cancelling' || phase === 'dropping';
  return (
    <>
      {isOpen && !isLeaving && phase !== 'promoting' && <Promote replay={replay} onDone={onDone} />}
      {isOpen && !isLeaving && <Throttle replay={replay} onDone={onDone} />}
      {isOpen && halted === null && phase !== 'waiting' && (
        <ChangeButton
          label="Pause"
          title={`Pause replay ${id}`}
          request={() => changes.pauseReplay(id)}
          onDone={onDone}
        >
          <p>It stops after the work under way. What it has built stays. Resume has it go on where it stopped.</p>
        </ChangeButton>
      )}
      {isOpen && halted !== null && (
        <ChangeButton
          label="Resume"
          title={`Resume replay ${id}`}
          className="primary"
          request={() => changes.resumeReplay(id)}
          onDone={onDone}
        >
          <p>It goes on where it stopped{halted === 'failed' ? ', and fails again unless the cause is mended' : ''}.</p>
        </ChangeButton>
      )}
      {isOpen && !isLeaving && (
        <ChangeButton
          label="Cancel"
          title={`Cancel replay ${id}`}
          action="Cancel the replay"
          request={() => changes.cancelReplay(id)}
          onDone={onDone}
        >
          <p>
            It ends, and what it has built is dropped. The live read tables are not touched. A new replay builds it
            again.
          </p>
        </ChangeButton>
      )}
      {can_be_rolled_back && (
        <ChangeButton
          label="Roll back"
          title={`Roll ${projection} back`}
          request={() => changes.rollBack(projection)}
          onDone={(answer) => answer && go(hrefOf({ view: 'replay', id: answer.id }))}
        >
          <p>
            The generation that this promotion replaced becomes live again, once it is brought up to date. That is a
            replay of its own. It can be rolled back in turn.
          </p>
        </ChangeButton>
      )}
      {!isOpen && phase !== 'cancelled' && phase !== 'dropped' && (
        <ChangeButton
          label="Drop what it leaves"
          title={`Drop what replay ${id} leaves`}
          action="Drop"
          request={() => changes.dropReplay(id)}
          onDone={onDone}
        >
          <p>
            It drops the generations that are not live. What is live stays.{' '}
            {live ? 'After that this promotion cannot be rolled back.' : ''} A new replay can build read tables again at
            any time.
          </p>
        </ChangeButton>
      )}
    </>
  );
}
