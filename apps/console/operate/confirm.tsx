import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../shared/failure.ts';
import { Form } from '../shared/form.tsx';
import { FailureView } from '../shared/states.tsx';
import { TextField } from '../shared/text-field.tsx';

export interface ConfirmProps {
  title: string;
  /** Explains the change's effect and how to undo it. */
  children: ComponentChildren;
  /** The label of the button that confirms. */
  action: string;
  /** The label of the button that closes the dialog without a change; "Cancel" by default. */
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
  // A dialog returns the focus only if it is closed before it is removed. The cleanup of useEffect would run after the
  // removal.
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
        // By default, the browser returns the focus to the button before it reports that the dialog is closed. If the
        // operator pressed Enter between the two, the button would not open the dialog again.
        event.preventDefault();
        onClose();
      }}
      // A dialog reports that it is closed even after its removal. Ignore this, because the next dialog may already be
      // open.
      onClose={() => dialog.current && onClose()}
    >
      <Form onSubmit={() => isTyped && isReady && !isPending && onConfirm()}>
        <h2 id={titleId}>{title}</h2>
        {children}
        {typed !== undefined && (
          <TextField
            label={
              <span>
                This cannot be undone. To continue, type <code>{typed}</code>
              </span>
            }
            autocomplete="off"
            spellcheck={false}
            text={text}
            onChange={setText}
          />
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
      </Form>
    </dialog>
  );
}
