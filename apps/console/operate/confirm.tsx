import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../shared/failure.ts';
import { FailureView } from '../shared/states.tsx';

interface ConfirmProps {
  title: string;
  /** Explains the effect, and how to undo it. */
  children: ComponentChildren;
  /** The label of the button that confirms. */
  action: string;
  /** The label of the button that closes the dialog. */
  dismissal?: string;
  /** The text that the operator must type first, because the change cannot be undone. */
  typed?: string;
  isPending: boolean;
  /** Whether all fields are valid. */
  isReady?: boolean;
  failure: Failure | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** A dialog that explains a change and asks for confirmation. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, dismissal = 'Cancel', typed, isPending, isReady = true } = props;
  const { failure, onConfirm, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const titleId = useId();
  // The cleanup of useEffect would run after the dialog is removed. A dialog returns the focus only if it is closed
  // before that.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const isTyped = typed === undefined || text === typed;
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The browser would return the focus before it reports the end: a quick Enter would then open nothing.
        event.preventDefault();
        onClose();
      }}
      // A removed dialog also reports its end, after the button may have opened the next one.
      onClose={() => dialog.current && onClose()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && isReady && !isPending) onConfirm();
        }}
      >
        <h2 id={titleId}>{title}</h2>
        {children}
        {typed !== undefined && (
          <label>
            <span>
              This cannot be undone. To continue, type <code>{typed}</code>
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
            disabled={!isTyped || !isReady || isPending}
          >
            {isPending ? 'Please wait …' : action}
          </button>
          <button type="button" onClick={onClose}>
            {dismissal}
          </button>
        </div>
      </form>
    </dialog>
  );
}
