import { hasEnded, progressText, type ReplayProgress } from './progress-text.ts';

/** A replay's position, speed and remaining time. */
export function Progress({ replay, label }: { replay: ReplayProgress; label: string }) {
  const { position, target } = replay;
  if (hasEnded(replay)) return null;
  return (
    <div class="progress">
      <progress aria-label={label} value={position} max={Math.max(1, target)} />
      <p class="quiet">{progressText(replay)}</p>
    </div>
  );
}
