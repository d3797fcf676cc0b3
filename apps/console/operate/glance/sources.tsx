import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { Empty } from '../../shared/states.tsx';
import { ChangeButton } from '../change-button.tsx';
import { whole } from '../figures.ts';
import { changes, type Source } from '../requests.ts';
import { At } from '../times.tsx';

/** The offset that a text stands for; null for what is none. */
function startOf(text: string): 'beginning' | number | null {
  if (text.trim() === '') return 'beginning';
  return /^[0-9]{1,15}$/.test(text.trim()) ? Number(text.trim()) : null;
}

function Accept({ source }: { source: Source }) {
  const [text, setText] = useState('');
  const from = startOf(text);
  const { topic, partition, next_offset } = source;
  return (
    <ChangeButton
      label="Go on elsewhere"
      title={`Have ${topic}/${partition} go on elsewhere`}
      action="Go on there"
      isReady={from !== null}
      request={() => changes.acceptSource(topic, partition, from ?? 'beginning')}
      onDone={() => {}}
    >
      <p>
        It would have gone on at offset {whole(next_offset)}. What lies between there and where it goes on is never
        read. Asked again with another offset, it goes on there.
      </p>
      <label>
        Offset (empty: the oldest record that the broker holds)
        <input
          type="text"
          inputMode="numeric"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
    </ChangeButton>
  );
}

const COLUMNS: Column<Source>[] = [
  { name: 'topic', title: 'Topic', value: ({ topic }) => topic },
  { name: 'partition', title: 'Partition', isNumber: true, value: ({ partition }) => partition },
  {
    name: 'next_offset',
    title: 'Next offset',
    isNumber: true,
    value: ({ next_offset }) => next_offset,
    cell: ({ next_offset }) => whole(next_offset),
  },
  {
    name: 'end_offset',
    title: 'End',
    isNumber: true,
    value: ({ end_offset }) => end_offset,
    cell: ({ end_offset }) => whole(end_offset),
  },
  { name: 'lag', title: 'Lag', isNumber: true, value: ({ lag }) => lag, cell: ({ lag }) => whole(lag) },
  {
    name: 'state',
    title: 'State',
    value: ({ fault }) => fault,
    cell: (source) =>
      source.fault === null ? (
        'reading'
      ) : (
        <span class="fault">
          <b>{source.stopped ? 'stopped' : 'cannot be read'}</b> since <At time={source.fault_at} />: {source.fault}{' '}
          <Accept source={source} />
        </span>
      ),
  },
];

/** Where records come from, and how far each source has been read. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  return (
    <section>
      <h2>Sources</h2>
      {sources.length === 0 ? (
        <Empty title="No sources yet">
          <p>A source appears when ingest first reads from it.</p>
        </Empty>
      ) : (
        <DataTable
          caption="Sources"
          columns={COLUMNS}
          rows={sources}
          keyOf={({ topic, partition }) => `${topic}/${partition}`}
          rowsPerPage={50}
        />
      )}
    </section>
  );
}
