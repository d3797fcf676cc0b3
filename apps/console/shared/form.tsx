import type { ComponentChildren } from 'preact';

interface FormProps {
  class?: 'filters';
  'aria-label'?: string;
  onSubmit: () => void;
  children: ComponentChildren;
}

/** A form that is submitted to a function instead of the server, which would load another page. */
export function Form({ onSubmit, children, ...attributes }: FormProps) {
  return (
    <form
      {...attributes}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
