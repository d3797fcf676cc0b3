import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../shared/failure.ts';
import { FailureView } from '../shared/states.tsx';

interface ConfirmProperties {
  title: string;
  /** What will happen, and how it is undone. */
  children: ComponentChildren;
  /** What the button says that does it. */
  action: string;
  /** What has to be typed first, where nothing brings it back. */
  typed?: string;
  isUnderWay: boolean;
  /** Whether all that is asked for is given. */
  isReady?: boolean;
  failure: Failure | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says what a change will do, and asks before it is done. */
export function Confirm(properties: ConfirmProperties) {
  const { title, children, action, typed, isUnderWay, isReady = true, failure, onConfirm, onClose } = properties;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const titleId = useId();
  // Not useEffect, which cleans up once the dialog is gone: closed before, it gives the focus back to where it was.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const isTyped = typed === undefined || text === typed;
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && isReady && !isUnderWay) onConfirm();
        }}
      >
        <h2 id={titleId}>{title}</h2>
        {children}
        {typed !== undefined && (
          <label>
            <span>
              Nothing brings it back. To go on, type <code>{typed}</code>
            </span>
            <input
              type="text"
              autocomplete="off"
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
        )}
        {failure && <FailureView failure={failure} />}
        <div class="actions">
          <button
            type="submit"
            class={typed === undefined ? 'primary' : 'danger'}
            disabled={!isTyped || !isReady || isUnderWay}
          >
            {isUnderWay ? 'Under way …' : action}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Leave it
          </button>
        </div>
      </form>
    </dialog>
  );
}
