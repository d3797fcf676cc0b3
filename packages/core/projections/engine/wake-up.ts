/** Wakes one waiter. If a notification arrives while nobody waits, it is kept for the next waiter. */
export class WakeUp {
  #pending = false;
  #wake: (() => void) | null = null;

  notify(): void {
    this.#pending = true;
    this.#wake?.();
  }

  /** Resolves at the next notification (immediately if one was kept), after `milliseconds`, or on abort. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#pending && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          // Remove the listener, because otherwise each wait would leak one, which makes 86,400 a day.
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
