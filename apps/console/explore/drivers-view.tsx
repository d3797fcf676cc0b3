import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { dateText } from '../shared/calendar-text.ts';
import { toCsv } from '../shared/csv.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { download } from '../shared/download.ts';
import { decimal, NONE } from '../shared/format.ts';
import { go } from '../shared/hash.ts';
import { PageHead } from '../shared/page.tsx';
import { RequestPanel } from '../shared/request-panel.tsx';
import type { Sorting } from '../shared/sorting.ts';
import { Empty, FailureView, Loading } from '../shared/states.tsx';
import { useAnswers } from '../shared/use-answers.ts';
import { driverName, matchesDriver } from './names.ts';
import { AUTHORIZATION, type Driver, driverPage, PER_PAGE } from './reports.ts';
import { hrefOf, MOST_DRIVERS } from './route.ts';

function day(date: string | null) {
  return date === null ? NONE : <time dateTime={date}>{dateText(date)}</time>;
}

const COLUMNS: Column<Driver>[] = [
  {
    name: 'name',
    title: 'Driver',
    value: driverName,
    cell: (driver) => (
      <a href={hrefOf({ view: 'driver', driverId: driver.driver_id, from: null, through: null })}>
        {driverName(driver)}
      </a>
    ),
  },
  {
    name: 'driver_id',
    title: 'Id',
    value: ({ driver_id }) => driver_id,
    cell: ({ driver_id }) => <code>{driver_id}</code>,
  },
  { name: 'first_name', title: '', value: ({ first_name }) => first_name, isShown: false },
  { name: 'last_name', title: '', value: ({ last_name }) => last_name, isShown: false },
  { name: 'alias', title: 'Alias', value: ({ alias }) => alias, cell: ({ alias }) => alias ?? NONE },
  { name: 'email', title: 'Email', value: ({ email }) => email, cell: ({ email }) => email ?? NONE },
  {
    name: 'first_travel_date',
    title: 'First drive',
    isNumber: true,
    value: (driver) => driver.first_travel_date,
    cell: (driver) => day(driver.first_travel_date),
  },
  {
    name: 'last_travel_date',
    title: 'Last drive',
    isNumber: true,
    value: (driver) => driver.last_travel_date,
    cell: (driver) => day(driver.last_travel_date),
  },
];

function chosenColumn(chosen: ReadonlySet<string>, onChange: (chosen: Set<string>) => void): Column<Driver> {
  return {
    name: 'chosen',
    title: 'Choose',
    isControl: true,
    value: ({ driver_id }) => (chosen.has(driver_id) ? 0 : 1),
    cell: (driver) => (
      <input
        type="checkbox"
        aria-label={`Choose ${driverName(driver)}`}
        checked={chosen.has(driver.driver_id)}
        disabled={!chosen.has(driver.driver_id) && chosen.size >= MOST_DRIVERS}
        onChange={(event) => {
          const next = new Set(chosen);
          if (event.currentTarget.checked) next.add(driver.driver_id);
          else next.delete(driver.driver_id);
          onChange(next);
        }}
      />
    ),
  };
}

/** The drivers of the fleet, as many as are loaded; those chosen can be compared in a summary. */
export function DriversView({ find }: { find: string }) {
  const [pages, setPages] = useState(1);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const questions = Array.from({ length: pages }, (_, index) => driverPage(index + 1));
  const { answers, failure, isComplete } = useAnswers(questions);
  const known = answers.filter((answer) => answer !== undefined);
  const count = known[0]?.count ?? 0;
  const loaded = known.flatMap(({ drivers }) => drivers);
  const found = loaded.filter((driver) => matchesDriver(driver, find));
  const columns = [...COLUMNS, chosenColumn(chosen.value, (next) => (chosen.value = next))];
  const allPages = Math.ceil(count / PER_PAGE);
  return (
    <>
      <PageHead title="Drivers">
        {chosen.value.size > 0 && (
          <a
            class="button primary"
            href={hrefOf({ view: 'summary', period: 'week', date: null, driverIds: [...chosen.value] })}
          >
            Summaries of {decimal(chosen.value.size, 0)} chosen
          </a>
        )}
        <button
          type="button"
          disabled={found.length === 0}
          onClick={() => download('drivers.csv', 'text/csv', toCsv(COLUMNS, found))}
        >
          Download CSV
        </button>
      </PageHead>
      {failure && <FailureView failure={failure} />}
      {known.length === 0 && !failure && <Loading what="drivers" />}
      {known.length > 0 && count === 0 && (
        <Empty title="No drivers yet">
          <p>
            A driver appears with the first trip, or with the first profile, that the service stores for your fleet.
          </p>
        </Empty>
      )}
      {count > 0 && (
        <>
          <div class="filters">
            <label>
              Find among those loaded
              <input
                type="search"
                placeholder="Name, alias, email or id"
                value={find}
                onInput={({ currentTarget }) => go(hrefOf({ view: 'drivers', find: currentTarget.value }), true)}
              />
            </label>
            <p class="quiet" role="status">
              {find.trim() !== '' && `${decimal(found.length, 0)} found among `}
              {decimal(loaded.length, 0)} of {decimal(count, 0)} drivers loaded
            </p>
            {pages < allPages && (
              <span class="actions">
                <button type="button" disabled={!isComplete} onClick={() => setPages(pages + 1)}>
                  Load {PER_PAGE} more
                </button>
                <button type="button" disabled={!isComplete} onClick={() => setPages(allPages)}>
                  Load all
                </button>
              </span>
            )}
          </div>
          {found.length === 0 ? (
            <Empty title="No driver found">
              <p>None of the drivers loaded has all these words in names, alias, email or id.</p>
            </Empty>
          ) : (
            <DataTable
              caption="Drivers"
              columns={columns}
              rows={found}
              keyOf={({ driver_id }) => driver_id}
              sorting={sorting}
              onSort={setSorting}
            />
          )}
        </>
      )}
      <RequestPanel questions={questions} answers={answers} authorization={AUTHORIZATION} />
    </>
  );
}
