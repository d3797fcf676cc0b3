import { useEffect, useRef, useState } from 'preact/hooks';

interface OnDemandProperties<Drawing> {
  /** What the element shows, for readers of screens. */
  label: string;
  className: string;
  /** Loads the library that draws: an `import()` of a file of ours. */
  load: () => Promise<(element: HTMLElement) => Drawing>;
  onDrawn?: (drawing: Drawing) => void;
  end: (drawing: Drawing) => void;
  /** Drawn anew when it changes. */
  version: string;
  role: 'img' | 'region';
}

/** An element that a library draws in, which is loaded when it is first needed. */
export function OnDemand<Drawing>({
  label,
  className,
  load,
  onDrawn,
  end,
  version,
  role,
}: OnDemandProperties<Drawing>) {
  const place = useRef<HTMLElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let drawing: Drawing | null = null;
    let isOver = false;
    load().then(
      (draw) => {
        if (isOver || place.current === null) return;
        drawing = draw(place.current);
        onDrawn?.(drawing);
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      if (drawing !== null) end(drawing);
    };
  }, [version]);
  if (hasFailed) {
    return (
      <p role="alert" class="state">
        This part of the page could not be loaded. The service may have been renewed:{' '}
        <button type="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </p>
    );
  }
  const hold = (element: HTMLElement | null) => {
    place.current = element;
  };
  return role === 'img' ? (
    <div ref={hold} class={className} role="img" aria-label={label} />
  ) : (
    <section ref={hold} class={className} aria-label={label} />
  );
}
