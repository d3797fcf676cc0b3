import { useState } from 'preact/hooks';
import { column, numberColumn } from '../../shared/columns.ts';
import type { Column } from '../../shared/data-table.tsx';
import { Empty } from '../../shared/states.tsx';
import { TextField } from '../../shared/text-field.tsx';
import { changes, type Status } from '../api.ts';
import { ChangeButton } from '../change-button.tsx';
import { integerColumn } from '../columns.tsx';
import { TableSection } from '../table-section.tsx';
import { integerText } from '../text.ts';
import { Timestamp } from '../timestamp.tsx';
import { parseOffset } from './offset.ts';

type Source = Status['sources'][number];

function Accept({ source }: { source: Source }) {
  const [text, setText] = useState('');
  const from = parseOffset(text);
  const { topic, partition, next_offset } = source;
  return (
    <ChangeButton
      label="Resume at an offset"
      title={`Resume ${topic}/${partition} at an offset`}
      action="Resume"
      isReady={from !== null}
      request={() => changes.acceptSource(topic, partition, from ?? 'beginning')}
    >
      <p>
        The next offset is {integerText(next_offset)}. Ingest skips the records between the next and the new offset. To
        change the new offset, resume again.
      </p>
      <TextField
        label="Offset (leave empty for the oldest record on the broker)"
        text={text}
        onChange={setText}
        inputMode="numeric"
      />
    </ChangeButton>
  );
}

const columnsOf = (ofAllLanes: boolean): Column<Source>[] => [
  column('topic', 'Topic'),
  numberColumn('partition', 'Partition'),
  integerColumn('next_offset', 'Next offset'),
  integerColumn('end_offset', 'End'),
  integerColumn('lag', 'Lag'),
  {
    name: 'state',
    title: 'State',
    value: ({ fault }) => fault,
    cell: (source) =>
      source.fault === null ? (
        'running'
      ) : (
        <span class="fault">
          <b>{source.stopped ? 'stopped' : 'cannot be read'}</b> since <Timestamp time={source.fault_at} />:{' '}
          {source.fault} {ofAllLanes ? 'Open the lane to resume it.' : <Accept source={source} />}
        </span>
      ),
  },
];

/** The sources of records, with each source's next offset. Across all lanes, this is the lowest offset. */
export function Sources({ sources, ofAllLanes }: { sources: readonly Source[]; ofAllLanes: boolean }) {
  return (
    <TableSection
      title="Sources"
      columns={columnsOf(ofAllLanes)}
      rows={sources}
      keyOf={({ topic, partition }) => `${topic}/${partition}`}
      rowsPerPage={50}
      empty={<Empty title="No sources yet">A source appears when ingest starts to read from it.</Empty>}
    />
  );
}
