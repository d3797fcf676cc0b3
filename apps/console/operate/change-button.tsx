import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Reply } from '../shared/question.ts';
import { Confirm } from './confirm.tsx';
import { useChange } from './use-change.ts';

interface ChangeButtonProperties<Answer> {
  label: string;
  title: string;
  /** What will happen, and how it is undone. */
  children: ComponentChildren;
  /** What the button in the dialog says; `label` unless told otherwise. */
  action?: string;
  typed?: string;
  isReady?: boolean;
  isDisabled?: boolean;
  className?: string;
  request: () => Promise<Reply<Answer>>;
  onDone: (answer: Answer | undefined) => void;
}

/** A button that asks before it changes something, and tells when that is refused. */
export function ChangeButton<Answer>(properties: ChangeButtonProperties<Answer>) {
  const { label, title, children, action = label, typed, isReady, isDisabled, className, request, onDone } = properties;
  const [isOpen, setOpen] = useState(false);
  const change = useChange();
  return (
    <>
      <button
        type="button"
        class={className ?? ''}
        disabled={isDisabled ?? false}
        onClick={() => {
          change.forgetFailure();
          setOpen(true);
        }}
      >
        {label}
      </button>
      {isOpen && (
        <Confirm
          title={title}
          action={action}
          {...(typed === undefined ? {} : { typed })}
          {...(isReady === undefined ? {} : { isReady })}
          isUnderWay={change.isUnderWay}
          failure={change.failure}
          onClose={() => setOpen(false)}
          onConfirm={() =>
            change.send(request, (answer) => {
              setOpen(false);
              onDone(answer);
            })
          }
        >
          {children}
        </Confirm>
      )}
    </>
  );
}
