/** Wakes one waiter. If a notification arrives while nobody is waiting, it is kept for the next waiter. */
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
          // Without this call, each wait would leak a listener: 86,400 listeners a day.
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
