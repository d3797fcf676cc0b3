const NEGATIVE_TIMEOUT = 'TimeoutNegativeWarning';

/** The Kafka client sets timers that are already due, harmlessly, and Node would tell everybody who runs a command. */
export function muteNegativeTimeouts(): void {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === NEGATIVE_TIMEOUT) return;
    for (const listener of listeners) listener(warning);
  });
}
