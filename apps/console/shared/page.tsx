import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Whether a view has been shown before. The first one begins where browsers begin: at the top, which leads everywhere. */
let isLater = false;

/** The head of a view: its title, which the tab has too, and what can be done with all of it. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = `${title} – Milepost`;
  }, [title]);
  const isActing = useRef(false);
  useEffect(() => {
    // Who follows a link by keyboard, or hears the page, begins at the new view.
    if (isLater && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    isLater = true;
    const see = ({ target }: FocusEvent) => {
      isActing.current = target instanceof Node && actions.current?.contains(target) === true;
    };
    document.addEventListener('focusin', see);
    return () => document.removeEventListener('focusin', see);
  }, []);
  useEffect(() => {
    // An action may be gone once it is done, and the focus with it.
    if (!isActing.current || document.activeElement !== document.body) return;
    isActing.current = false;
    heading.current?.focus({ preventScroll: true });
  });
  return (
    <header class="head">
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <div class="actions" ref={actions}>
        {children}
      </div>
    </header>
  );
}
