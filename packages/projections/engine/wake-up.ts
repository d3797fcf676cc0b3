/** Wakes one waiter. A notification that comes while nobody waits is kept, so none is ever missed. */
export class WakeUp {
  #pending = false;
  #wake: (() => void) | null = null;

  notify(): void {
    this.#pending = true;
    this.#wake?.();
  }

  /** Resolves at the next notification, at once if there was one since the last wait, or after `milliseconds`, or on abort. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#pending && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          // One listener a wait, left behind, would be 86,400 a day.
          signal.removeEventListener('abort', wake);
          this.#wake = null;
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        this.#wake = wake;
        signal.addEventListener('abort', wake);
      });
    }
    this.#pending = false;
  }
}
