import { useState } from 'preact/hooks';
import { NONE } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { inWords, whole } from '../figures.ts';
import { AUTHORIZATION, deadLetter, type WholeDeadLetter } from '../requests.ts';
import { At } from '../times.tsx';
import { useLatest } from '../use-latest.ts';
import { RecordBytes } from './record-bytes.tsx';
import { Discard, Retry } from './settle.tsx';

function Facts({ letter }: { letter: WholeDeadLetter }) {
  return (
    <dl class="facts">
      <dt>Reason</dt>
      <dd>{inWords(letter.reason)}</dd>
      <dt>Field</dt>
      <dd>{letter.field === null || letter.field === '' ? 'the record itself' : <code>{letter.field}</code>}</dd>
      <dt>Came from</dt>
      <dd>
        {letter.topic}, partition {letter.partition}, offset {whole(letter.offset)}
      </dd>
      <dt>Received</dt>
      <dd>
        <At time={letter.received_at} />
      </dd>
      <dt>Settled</dt>
      <dd>
        {letter.resolution === null ? (
          'open'
        ) : (
          <>
            {letter.resolution}, <At time={letter.resolved_at} />
          </>
        )}
      </dd>
      {letter.note !== null && (
        <>
          <dt>Note</dt>
          <dd>{letter.note || NONE}</dd>
        </>
      )}
    </dl>
  );
}

/** One dead letter: why the record was refused, and its bytes. */
export function DeadLetterView({ id }: { id: number }) {
  const [asked, setAsked] = useState(0);
  const [outcome, setOutcome] = useState('');
  const question = deadLetter(id);
  const { answer, failure } = useLatest(question, asked);
  const choice = { kind: 'ids', ids: [id] } as const;
  const onDone = (sentence: string) => {
    setOutcome(sentence);
    setAsked(asked + 1);
  };
  return (
    <>
      <PageHead title={`Dead letter ${id}`}>
        {answer?.resolution === null && (
          <>
            <Retry choice={choice} onDone={onDone} />
            <Discard choice={choice} onDone={onDone} />
          </>
        )}
      </PageHead>
      <p role="status" class="outcome">
        {outcome}
      </p>
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="the dead letter" />}
      {answer && (
        <>
          <p class="headline">{answer.message}</p>
          <Facts letter={answer} />
          {answer.raw_base64 === null ? (
            <p class="quiet">There are no bytes: the record had no value at all, or its driver was erased.</p>
          ) : (
            <RecordBytes base64={answer.raw_base64} field={answer.field} />
          )}
        </>
      )}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
