import { useMutation } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure, RequestError } from '../shared/failure.ts';
import { Form } from '../shared/form.tsx';
import { queryClient } from '../shared/query-client.ts';
import { FailureView } from '../shared/states.tsx';
import { TextField } from '../shared/text-field.tsx';

interface ChangeProps<Data> {
  /** The heading of the dialog. */
  title: string;
  /** Explains the change's effect and how to undo it. */
  children: ComponentChildren;
  /** The label of the button that confirms. */
  action: string;
  /** The label of the button that closes the dialog without a change; "Cancel" by default. */
  dismissal?: string;
  /** The text that the operator must type first, because the change cannot be undone. */
  typed?: string;
  /** Whether all fields are valid. */
  isReady?: boolean;
  request: () => Promise<Data>;
  /** Receives the body of the response; undefined if it has none. */
  onDone?: (data: Data) => void;
}

const UNKNOWN_OUTCOME =
  'The server did not respond, so it is not known whether the change was made. Check the view before you try again.';

function failureOf({ failure, transient }: RequestError): Failure {
  return transient?.reason === 'unreachable' ? { ...failure, detail: UNKNOWN_OUTCOME } : failure;
}

/** A dialog that explains a change, asks for confirmation, sends the change only once, and reloads the view's data. */
function ChangeDialog<Data>({ onClose, ...props }: ChangeProps<Data> & { onClose: () => void }) {
  const { title, children, action, dismissal = 'Cancel', typed, isReady = true, request, onDone } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const titleId = useId();
  const change = useMutation({
    // The request is passed as an argument, because a mutation's options do not change until the next paint and would
    // still contain the old input.
    mutationFn: async (send: () => Promise<Data>) => await send(),
    onSuccess: (data) => {
      onClose();
      onDone?.(data);
      void queryClient.invalidateQueries();
    },
  });
  // A dialog returns the focus only if it is closed before it is removed. The cleanup of useEffect would run after the
  // removal.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const isAllowed = (typed === undefined || text === typed) && isReady && !change.isPending;
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
      <Form onSubmit={() => isAllowed && change.mutate(request)}>
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
        {change.error && <FailureView failure={failureOf(change.error)} />}
        <div class="actions">
          <button type="submit" class={typed === undefined ? 'primary' : 'danger'} disabled={!isAllowed}>
            {change.isPending ? 'Please wait …' : action}
          </button>
          <button type="button" onClick={onClose}>
            {dismissal}
          </button>
        </div>
      </Form>
    </dialog>
  );
}

interface ChangeButtonProps<Data> extends Omit<ChangeProps<Data>, 'title' | 'action'> {
  label: string;
  /** The heading of the dialog; `label` by default. */
  title?: string;
  /** The label of the dialog's button; `label` by default. */
  action?: string;
  isDisabled?: boolean;
  className?: string;
}

/** A button that opens the dialog for a change. */
export function ChangeButton<Data>(props: ChangeButtonProps<Data>) {
  const { label, isDisabled = false, className = '', ...change } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={className} disabled={isDisabled} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && <ChangeDialog title={label} action={label} {...change} onClose={() => setOpen(false)} />}
    </>
  );
}
