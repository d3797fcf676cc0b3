import { useEffect, useRef, useState } from 'preact/hooks';

interface OnDemandProps<Drawing extends { destroy: () => void }> {
  /** The accessible name of the element. */
  label: string;
  className: string;
  /** Loads the function that draws, with `import()`. */
  load: () => Promise<(element: HTMLElement) => Drawing>;
  /** Receives the drawing, or null when it is removed. */
  onDrawn?: ((drawing: Drawing | null) => void) | undefined;
  /** When the version changes, the element is redrawn. */
  version: string;
  role: 'img' | 'region';
}

/**
 * An element whose content is drawn by a library. The library is loaded when it is first needed, and an error affects
 * only this element.
 */
export function OnDemand<Drawing extends { destroy: () => void }>(props: OnDemandProps<Drawing>) {
  const { label, className, load, onDrawn, version, role } = props;
  const place = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<'loading' | 'drawing' | null>(null);
  useEffect(() => {
    let drawing: Drawing | null = null;
    let hasEnded = false;
    load().then(
      (draw) => {
        if (hasEnded || place.current === null) return;
        try {
          drawing = draw(place.current);
          onDrawn?.(drawing);
        } catch (error) {
          reportError(error);
          setFailure('drawing');
        }
      },
      () => setFailure('loading'),
    );
    return () => {
      hasEnded = true;
      if (drawing === null) return;
      onDrawn?.(null);
      drawing.destroy();
    };
  }, [version]);
  if (failure !== null) {
    return (
      <p role="alert" class="state">
        {failure === 'loading'
          ? 'This part of the page could not be loaded. The service may have been upgraded.'
          : 'This part of the page could not be displayed because of a bug in this page.'}{' '}
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </p>
    );
  }
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support it.
  return <div ref={place} class={className} role={role} aria-label={label} />;
}
