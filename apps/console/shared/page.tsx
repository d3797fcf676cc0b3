import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The head of a view: its title, which the tab has too, and what can be done with all of it. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Milepost`;
  }, [title]);
  useEffect(() => {
    // Who follows a link by keyboard, or hears the page, begins at the new view. The first view takes nothing away.
    if (document.activeElement !== document.body) return;
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="head">
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <div class="actions">{children}</div>
    </header>
  );
}
