import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Whether a view was shown before. The first view leaves the focus at the top, as on any page that was just loaded. */
let hasShownView = false;

/** The heading of a view, which is also the title of the tab, and the actions of the whole view. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = `${title} – Milepost`;
  }, [title]);
  const wasInActions = useRef(false);
  useEffect(() => {
    // Keyboard and screen reader users continue at the heading of the new view.
    if (hasShownView && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    hasShownView = true;
    const onFocus = ({ target }: FocusEvent) => {
      wasInActions.current = target instanceof Node && actions.current?.contains(target) === true;
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, []);
  useEffect(() => {
    // An action may disappear when it is done, and the focus disappears with it.
    if (!wasInActions.current || document.activeElement !== document.body) return;
    wasInActions.current = false;
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
