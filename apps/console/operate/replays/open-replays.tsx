import type { Replay } from '../api.ts';
import { hrefOf } from '../lane.ts';
import { Progress } from './progress.tsx';
import { stateText } from './progress-text.ts';

/** The open replays, with their lanes if the page shows all lanes. */
export function OpenReplays({ replays, ofAllLanes = false }: { replays: readonly Replay[]; ofAllLanes?: boolean }) {
  const hrefTo = ({ id, lane }: Replay) => hrefOf({ view: 'replay', id }, ofAllLanes ? lane : undefined);
  const nameOf = ({ id, lane }: Replay) => `Replay ${id}${ofAllLanes ? ` in lane ${lane}` : ''}`;
  return (
    <section>
      <h2>Running replays</h2>
      <ul class="cards">
        {replays.map((replay) => (
          <li key={`${replay.lane}/${replay.id}`}>
            <p>
              <a href={hrefTo(replay)}>{nameOf(replay)}</a> of <b>{replay.projection}</b>: {stateText(replay)}
            </p>
            {replay.error !== null && <p class="fault">{replay.error}</p>}
            <Progress replay={replay} label={nameOf(replay)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
