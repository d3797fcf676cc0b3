import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Whether a view has already been shown. The first view leaves the focus at the top, as on any newly loaded page. */
let hasShownView = false;

/** A view's heading, which is also the tab's title, and the actions for the whole view. */
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
    // An action that is done may disappear, and the focus would disappear with it.
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
