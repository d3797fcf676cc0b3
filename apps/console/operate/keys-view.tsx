import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { PageHead } from '../shared/page.tsx';
import { RequestPanel } from '../shared/request-panel.tsx';
import { Empty, FailureView, Loading } from '../shared/states.tsx';
import { ChangeButton } from './change-button.tsx';
import { type ApiKey, AUTHORIZATION, allKeys, type CreatedKey, changes } from './requests.ts';
import { At } from './times.tsx';
import { useLatest } from './use-latest.ts';

const FLEET_ID = /^[A-Za-z0-9_-]{1,64}$/;

function Create({ onDone }: { onDone: (created: CreatedKey) => void }) {
  const [fleet, setFleet] = useState('');
  const isFleet = FLEET_ID.test(fleet.trim());
  return (
    <ChangeButton
      label="Create a key"
      title="Create an API key"
      action="Create"
      className="primary"
      isReady={isFleet}
      request={() => changes.createKey(fleet.trim())}
      onDone={(created) => created && onDone(created)}
    >
      <p>
        It opens the reports of one fleet. The key is shown once: the server keeps its hash alone. Revoke it to undo
        this.
      </p>
      <label>
        Fleet: 1 to 64 of the characters A-Z, a-z, 0-9, _ and -
        <input
          type="text"
          autocomplete="off"
          value={fleet}
          onInput={({ currentTarget }) => setFleet(currentTarget.value)}
        />
      </label>
    </ChangeButton>
  );
}

/** A key that was just made, for the only time that it is shown. */
function NewKey({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <section class="state new-key" aria-label="The new key">
      <h2>The key of {created.fleet_id}</h2>
      <p>Copy it now. It is not shown again.</p>
      <p>
        <code>{created.key}</code>
      </p>
      <div class="actions">
        <button type="button" onClick={() => navigator.clipboard.writeText(created.key).then(() => setCopied(true))}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" onClick={onClose}>
          I have it
        </button>
      </div>
    </section>
  );
}

function columnsOf(onRevoked: (id: string) => void): Column<ApiKey>[] {
  return [
    { name: 'id', title: 'Key', value: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
    { name: 'fleet_id', title: 'Fleet', value: ({ fleet_id }) => fleet_id },
    {
      name: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <At time={created_at} />,
    },
    {
      name: 'revoked_at',
      title: 'Revoked',
      value: ({ revoked_at }) => revoked_at,
      cell: ({ revoked_at }) => <At time={revoked_at} />,
    },
    {
      name: 'revoke',
      title: 'Change',
      isControl: true,
      value: () => null,
      cell: ({ id, fleet_id, revoked_at }) =>
        revoked_at === null && (
          <ChangeButton
            label="Revoke"
            title={`Revoke ${id}`}
            typed={id}
            request={() => changes.revokeKey(id)}
            onDone={() => onRevoked(id)}
          >
            <p>
              From now on the key opens nothing. Whoever uses it is refused. A new key can be created for {fleet_id} at
              any time.
            </p>
          </ChangeButton>
        ),
    },
  ];
}

/** The API keys of all fleets. */
export function KeysView() {
  const [asked, setAsked] = useState(0);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [outcome, setOutcome] = useState('');
  const question = allKeys();
  const { answer, failure } = useLatest(question, asked);
  const columns = columnsOf((id) => {
    setOutcome(`${id} is revoked.`);
    setAsked(asked + 1);
  });
  return (
    <>
      <PageHead title="API keys">
        <Create
          onDone={(key) => {
            setCreated(key);
            setOutcome('');
            setAsked(asked + 1);
          }}
        />
      </PageHead>
      <p role="status" class="outcome">
        {outcome}
      </p>
      {created && <NewKey created={created} onClose={() => setCreated(null)} />}
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="keys" />}
      {answer?.keys.length === 0 && (
        <Empty title="No API keys yet">
          <p>A key opens the reports of one fleet to whoever holds it.</p>
        </Empty>
      )}
      {answer && answer.keys.length > 0 && (
        <DataTable caption="API keys" columns={columns} rows={answer.keys} keyOf={({ id }) => id} rowsPerPage={50} />
      )}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
