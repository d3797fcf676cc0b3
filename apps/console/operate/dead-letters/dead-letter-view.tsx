import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { NONE } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { AUTHORIZATION, type DeadLetterDetail, deadLetterDetail } from '../api.ts';
import { integerText, wordsOf } from '../text.ts';
import { Timestamp } from '../timestamp.tsx';
import { RecordBytes } from './record-bytes.tsx';
import { Discard, Retry } from './settle.tsx';

function Facts({ deadLetter }: { deadLetter: DeadLetterDetail }) {
  return (
    <dl class="facts">
      <dt>Reason</dt>
      <dd>{wordsOf(deadLetter.reason)}</dd>
      <dt>Field</dt>
      <dd>
        {deadLetter.field === null || deadLetter.field === '' ? 'the whole record' : <code>{deadLetter.field}</code>}
      </dd>
      <dt>Source</dt>
      <dd>
        {deadLetter.topic}, partition {deadLetter.partition}, offset {integerText(deadLetter.offset)}
      </dd>
      <dt>Received</dt>
      <dd>
        <Timestamp time={deadLetter.received_at} />
      </dd>
      <dt>Settled</dt>
      <dd>
        {deadLetter.resolution === null ? (
          'open'
        ) : (
          <>
            {deadLetter.resolution}, <Timestamp time={deadLetter.resolved_at} />
          </>
        )}
      </dd>
      {deadLetter.note !== null && (
        <>
          <dt>Note</dt>
          <dd>{deadLetter.note || NONE}</dd>
        </>
      )}
    </dl>
  );
}

/** A dead letter: why the record was refused, and its bytes. */
export function DeadLetterView({ id }: { id: number }) {
  const [outcome, setOutcome] = useState('');
  const request = deadLetterDetail(id);
  const { data, error } = useQuery(request);
  const choice = { kind: 'ids', ids: [id] } as const;
  return (
    <>
      <PageHead title={`Dead letter ${id}`}>
        {data?.resolution === null && (
          <>
            <Retry choice={choice} onDone={setOutcome} />
            <Discard choice={choice} onDone={setOutcome} />
          </>
        )}
      </PageHead>
      <p role="status" class="outcome">
        {outcome}
      </p>
      {error && <FailureView failure={error.failure} />}
      {!data && !error && <Loading what="the dead letter" />}
      {data && (
        <>
          <p class="headline">{data.message}</p>
          <Facts deadLetter={data} />
          {data.raw_base64 === null ? (
            <p class="quiet">There are no bytes: the record had no value, or its driver was erased.</p>
          ) : (
            <RecordBytes base64={data.raw_base64} rawBytes={data.raw_bytes ?? 0} field={data.field} />
          )}
        </>
      )}
      <RequestPanel requests={[request]} data={[data]} authorization={AUTHORIZATION} />
    </>
  );
}
