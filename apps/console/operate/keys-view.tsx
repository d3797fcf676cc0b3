import { FLEET_ID } from '@milepost/domain/ids';
import { useState } from 'preact/hooks';
import { column } from '../shared/columns.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { NONE } from '../shared/format.ts';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '../shared/page.tsx';
import { Empty } from '../shared/states.tsx';
import { TextField } from '../shared/text-field.tsx';
import { changes, reads, type Schemas } from './api.ts';
import { ChangeButton } from './change-button.tsx';
import { codeColumn, integerColumn, timeColumn } from './columns.tsx';
import { Timestamp } from './timestamp.tsx';

type CreatedKey = Schemas['KeysCreateAnswer'];

function Create({ onDone }: { onDone: (created: CreatedKey) => void }) {
  const [fleet, setFleet] = useState('');
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const [limit, setLimit] = useState('');
  const isFleet = FLEET_ID.test(fleet.trim());
  return (
    <ChangeButton
      label="Create a key"
      title="Create an API key"
      action="Create"
      className="primary"
      isReady={isFleet}
      request={() =>
        changes.createKey({
          fleet_id: fleet.trim(),
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(expires === '' ? {} : { expires }),
          ...(limit === '' ? {} : { rate_limit_per_minute: Number(limit) }),
        })
      }
      onDone={onDone}
    >
      <p>
        The key gives access to the reports of one fleet. It is shown once, because the server keeps only its hash.
        Revoke the key to undo this.
      </p>
      <TextField
        label="Fleet: 1 to 64 characters from A-Z, a-z, 0-9, _ and -"
        text={fleet}
        onChange={setFleet}
        autocomplete="off"
      />
      <TextField
        label="Name: the purpose of the key (optional)"
        text={name}
        onChange={setName}
        autocomplete="off"
        maxLength={100}
      />
      <TextField
        label="Expires: the first day on which the key is no longer valid, in UTC (optional)"
        text={expires}
        onChange={setExpires}
        type="date"
      />
      <TextField
        label="Rate limit: requests per minute for this key alone (optional; without it, the key shares its fleet's limit)"
        text={limit}
        onChange={setLimit}
        type="number"
        min={1}
        step={1}
      />
    </ChangeButton>
  );
}

/** A new key. It is shown only once. */
function NewKey({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  return (
    <section class="state new-key" aria-label="The new key">
      <h2>The key for {created.fleet_id}</h2>
      <p>Copy the key now. It will not be shown again.</p>
      <p>
        <code>{created.key}</code>
      </p>
      {created.warning !== null && <p>Warning: {created.warning}</p>}
      <div class="actions">
        <CopyButton label="Copy" text={created.key} />
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </section>
  );
}

function columnsOf(onRevoked: (id: string) => void): Column<Schemas['ApiKey']>[] {
  return [
    codeColumn('id', 'Key'),
    column('fleet_id', 'Fleet'),
    { name: 'name', title: 'Name', value: ({ name }) => name ?? NONE },
    column('state', 'State', (state, { revoked_at }) =>
      revoked_at === null ? state : [state, ' ', <Timestamp time={revoked_at} />],
    ),
    timeColumn('created_at', 'Created'),
    timeColumn('last_used_at', 'Last used'),
    timeColumn('expires_at', 'Expires'),
    integerColumn('rate_limit_per_minute', 'Requests per minute'),
    {
      name: 'revoke',
      title: 'Action',
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
              The service will reject every request with this key. You can create another key for {fleet_id} at any
              time.
            </p>
          </ChangeButton>
        ),
    },
  ];
}

/** The API keys of all fleets. */
export function KeysView() {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [outcome, setOutcome] = useState('');
  const columns = columnsOf((id) => setOutcome(`${id} has been revoked.`));
  return (
    <>
      <PageHead title="API keys">
        <Create
          onDone={(key) => {
            setCreated(key);
            setOutcome('');
          }}
        />
      </PageHead>
      <p role="status" class="outcome">
        {outcome}
      </p>
      {created && <NewKey created={created} onClose={() => setCreated(null)} />}
      <Loaded request={reads.keys()} what="keys">
        {({ keys }) => (
          <DataTable
            caption="API keys"
            columns={columns}
            rows={keys}
            rowsPerPage={50}
            empty={<Empty title="No API keys yet">A key gives access to the reports of one fleet.</Empty>}
          />
        )}
      </Loaded>
    </>
  );
}
