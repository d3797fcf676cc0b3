import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { countText } from '../../shared/format.ts';
import { navigate } from '../../shared/hash.ts';
import { Flag } from '../../shared/text-field.tsx';
import { changes, type Replay } from '../api.ts';
import { ChangeButton } from '../change-button.tsx';
import { hrefOf } from '../lane.ts';
import { parseThrottle } from './throttle.ts';
import { ThrottleField } from './throttle-field.tsx';

interface ActionProps {
  replay: Replay;
}

function Promote({ replay }: ActionProps) {
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
    >
      <p>
        It makes the replay's generations live{replay.phase === 'waiting' ? '' : ' once they are verified'}. The current
        live generations are kept. Until they are dropped, the <b>Roll back</b> button in this view can undo the
        promotion.
      </p>
      {isUnexpected && (
        <Flag
          label={
            <>
              Promote despite unexpected differences in {countText(verification.differences, 'row')} (no version change
              explains them)
            </>
          }
          isOn={isAccepted}
          onChange={setAccepted}
        />
      )}
    </ChangeButton>
  );
}

function Throttle({ replay }: ActionProps) {
  const [text, setText] = useState(String(replay.throttle));
  const throttle = parseThrottle(text);
  return (
    <ChangeButton
      label={`Throttle: ${replay.throttle}`}
      title={`Throttle replay ${replay.id}`}
      action="Set the throttle"
      isReady={throttle !== null}
      request={() => changes.throttleReplay(replay.id, throttle ?? 'auto')}
    >
      <p>
        <code>auto</code> slows the replay down when reads become slow or the live projections fall behind.{' '}
        <code>off</code> sets no limit. The worker applies the throttle within a second, and you can change it at any
        time.
      </p>
      <ThrottleField text={text} onChange={setText} />
    </ChangeButton>
  );
}

function Pause({ replay: { id } }: ActionProps) {
  return (
    <ChangeButton label="Pause" title={`Pause replay ${id}`} request={() => changes.pauseReplay(id)}>
      <p>
        The worker stops after the current chunk. The replay keeps its rows and continues with the next chunk when you
        resume it.
      </p>
    </ChangeButton>
  );
}

function Resume({ replay: { id, halted } }: ActionProps) {
  return (
    <ChangeButton
      label="Resume"
      title={`Resume replay ${id}`}
      className="primary"
      request={() => changes.resumeReplay(id)}
    >
      <p>
        The replay continues where it stopped.
        {halted === 'failed' ? ' It will fail again unless the cause is fixed.' : ''}
      </p>
    </ChangeButton>
  );
}

function Cancel({ replay: { id } }: ActionProps) {
  return (
    <ChangeButton
      label="Cancel"
      title={`Cancel replay ${id}`}
      action="Cancel the replay"
      dismissal="Keep the replay"
      request={() => changes.cancelReplay(id)}
    >
      <p>
        The replay ends and its generations are dropped. The live read tables do not change. To rebuild the generations,
        start another replay.
      </p>
    </ChangeButton>
  );
}

function RollBack({ replay: { projection } }: ActionProps) {
  return (
    <ChangeButton
      label="Roll back"
      title={`Roll ${projection} back`}
      request={() => changes.rollBack(projection)}
      onDone={({ id }) => navigate(hrefOf({ view: 'replay', id }))}
    >
      <p>
        The generation that this promotion replaced is brought up to date and becomes live again. The rollback is itself
        a replay, and you can roll it back too.
      </p>
    </ChangeButton>
  );
}

function Drop({ replay: { id, phase, live } }: ActionProps) {
  const isRejected = phase === 'waiting';
  return (
    <ChangeButton
      label={isRejected ? 'Drop' : 'Drop unused generations'}
      title={isRejected ? `Drop replay ${id}` : `Drop unused generations of replay ${id}`}
      action="Drop"
      request={() => changes.dropReplay(id)}
    >
      <p>
        {isRejected
          ? 'The replay ends without a promotion, and its generations are dropped. The live read tables do not change. '
          : 'It drops the generations of this replay that are not live. '}
        {live ? 'After that, this promotion cannot be rolled back. ' : ''}A replay can rebuild read tables at any time.
      </p>
    </ChangeButton>
  );
}

const CONTROLS: Readonly<Record<string, ComponentType<ActionProps>>> = {
  'replay.promote': Promote,
  'replay.throttle': Throttle,
  'replay.pause': Pause,
  'replay.resume': Resume,
  'replay.cancel': Cancel,
  'replay.rollback': RollBack,
  'replay.drop': Drop,
};

/** The buttons for the next actions that the server offers. */
export function Actions({ replay }: ActionProps) {
  return (
    <>
      {replay.next.map(({ operation }) => {
        const Control = CONTROLS[operation];
        return Control && <Control key={operation} replay={replay} />;
      })}
    </>
  );
}
