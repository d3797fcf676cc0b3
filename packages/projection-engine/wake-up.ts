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
        const timer = setTimeout(resolve, milliseconds);
        const wake = () => {
          clearTimeout(timer);
          resolve();
        };
        this.#wake = wake;
        signal.addEventListener('abort', wake, { once: true });
      });
      this.#wake = null;
    }
    this.#pending = false;
  }
}
