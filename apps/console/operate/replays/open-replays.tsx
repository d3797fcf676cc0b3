import type { Status } from '../api.ts';
import { hrefOf } from '../route.ts';
import { Progress, stateText } from './progress.tsx';

/** The replays that have not ended. */
export function OpenReplays({ replays }: { replays: Status['replays'] }) {
  return (
    <section>
      <h2>Running replays</h2>
      <ul class="cards">
        {replays.map((replay) => (
          <li key={replay.id}>
            <p>
              <a href={hrefOf({ view: 'replay', id: replay.id })}>Replay {replay.id}</a> of <b>{replay.projection}</b>:{' '}
              {stateText(replay)}
            </p>
            {replay.error !== null && <p class="fault">{replay.error}</p>}
            <Progress replay={replay} label={`Replay ${replay.id}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
