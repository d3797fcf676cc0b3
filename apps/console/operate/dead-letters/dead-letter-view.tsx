import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { type Fact, Facts } from '../../shared/facts.tsx';
import { NONE } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { QueryState } from '../../shared/states.tsx';
import { reads, type Schemas } from '../api.ts';
import { integerText, wordsOf } from '../text.ts';
import { Timestamp } from '../timestamp.tsx';
import { RecordBytes } from './record-bytes.tsx';
import { Settle } from './settle.tsx';

function factsOf(deadLetter: Schemas['DeadLettersShowAnswer']): Fact[] {
  const { reason, field, topic, partition, offset, received_at, resolution, resolved_at, note } = deadLetter;
  return [
    ['Reason', wordsOf(reason)],
    ['Field', field ? <code>{field}</code> : 'the whole record'],
    ['Source', `${topic}, partition ${partition}, offset ${integerText(offset)}`],
    ['Received', <Timestamp time={received_at} />],
    ['Settled', resolution === null ? 'open' : [resolution, ', ', <Timestamp time={resolved_at} />]],
    ...(note === null ? [] : [['Note', note || NONE] satisfies Fact]),
  ];
}

/** A dead letter: why the record was refused, and its bytes. */
export function DeadLetterView({ id }: { id: number }) {
  const [outcome, setOutcome] = useState('');
  const request = reads.deadLetter(id);
  const { data, error } = useQuery(request);
  return (
    <>
      <PageHead title={`Dead letter ${id}`}>
        {data?.resolution === null && <Settle choice={{ kind: 'ids', ids: [id] }} onDone={setOutcome} />}
      </PageHead>
      <p role="status" class="outcome">
        {outcome}
      </p>
      <QueryState data={data} error={error} what="the dead letter" />
      {data && (
        <>
          <p class="headline">{data.message}</p>
          <Facts facts={factsOf(data)} />
          {data.raw_base64 === null ? (
            <p class="quiet">There are no bytes: the record had no value or its driver has been erased.</p>
          ) : (
            <RecordBytes base64={data.raw_base64} rawBytes={data.raw_bytes ?? 0} field={data.field} />
          )}
        </>
      )}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
