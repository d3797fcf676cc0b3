import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { Failure, RequestError } from '../shared/failure.ts';
import { queryClient } from '../shared/query-client.ts';
import { type Reply, successful } from './client.ts';
import { Confirm, type ConfirmProps } from './confirm.tsx';

interface ChangeButtonProps<Data> extends Pick<ConfirmProps, 'title' | 'children' | 'dismissal' | 'typed' | 'isReady'> {
  label: string;
  /** The label of the dialog's button; `label` by default. */
  action?: string;
  isDisabled?: boolean;
  className?: string;
  request: () => Promise<Reply<Data>>;
  /** Receives the body of the response; undefined if it has none. */
  onDone?: (data: Data | undefined) => void;
}

const UNKNOWN_OUTCOME =
  'The server did not respond, so it is not known whether the change was made. Check the view before you try again.';

function failureOf({ failure, transient }: RequestError): Failure {
  return transient?.reason === 'unreachable' ? { ...failure, detail: UNKNOWN_OUTCOME } : failure;
}

/** A button that asks for confirmation, sends a change only once, and reloads the view's data. */
export function ChangeButton<Data>(props: ChangeButtonProps<Data>) {
  const { label, action = label, isDisabled = false, className = '', request, onDone, ...dialog } = props;
  const [isOpen, setOpen] = useState(false);
  const change = useMutation({
    // The request is passed as an argument, because a mutation's options do not change until the next paint and would
    // still contain the old input.
    mutationFn: async (sent: () => Promise<Reply<Data>>) => (await successful(sent())).data,
    onSuccess: (data) => {
      setOpen(false);
      onDone?.(data);
      void queryClient.invalidateQueries();
    },
  });
  return (
    <>
      <button
        type="button"
        class={className}
        disabled={isDisabled}
        onClick={() => {
          change.reset();
          setOpen(true);
        }}
      >
        {label}
      </button>
      {isOpen && (
        <Confirm
          {...dialog}
          action={action}
          isPending={change.isPending}
          failure={change.error && failureOf(change.error)}
          onClose={() => setOpen(false)}
          onConfirm={() => change.mutate(request)}
        />
      )}
    </>
  );
}
