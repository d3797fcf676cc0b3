import { type Driver, MAX_PAGE_SIZE } from '@milepost/client';
import { useSignal } from '@preact/signals';
import { useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { dateText } from '../shared/calendar-text.ts';
import { choiceColumn } from '../shared/choice-column.tsx';
import { column } from '../shared/columns.ts';
import { CsvButton } from '../shared/csv-button.tsx';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { countText, decimal, NONE } from '../shared/format.ts';
import { navigate } from '../shared/hash.ts';
import { PageHead } from '../shared/page.tsx';
import { RequestPanel } from '../shared/request-panel.tsx';
import type { Sorting } from '../shared/sorting.ts';
import { Empty, QueryState } from '../shared/states.tsx';
import { TextField } from '../shared/text-field.tsx';
import { reads } from './api.ts';
import { driverName, matchesDriver } from './names.ts';
import { hrefOf, MAX_DRIVERS } from './route.ts';

function day(date: string | null) {
  return date === null ? NONE : <time dateTime={date}>{dateText(date)}</time>;
}

const COLUMNS: Column<Driver>[] = [
  {
    name: 'name',
    title: 'Driver',
    value: driverName,
    cell: (driver) => <a href={hrefOf({ view: 'driver', driverId: driver.driver_id })}>{driverName(driver)}</a>,
  },
  column('driver_id', 'Id', (driver_id) => <code>{driver_id}</code>),
  { ...column('first_name', ''), isShown: false },
  { ...column('last_name', ''), isShown: false },
  column('alias', 'Alias', (alias) => alias ?? NONE),
  column('email', 'Email', (email) => email ?? NONE),
  { ...column('first_travel_date', 'First drive', day), isNumber: true },
  { ...column('last_travel_date', 'Last drive', day), isNumber: true },
];

/** Returns the drivers that have been loaded, page by page, and functions that load the next page or all pages. */
function useDrivers() {
  const [loadsAll, setLoadsAll] = useState(false);
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: reads.drivers(1).queryKey,
    queryFn: ({ pageParam, signal }) => reads.drivers(pageParam).queryFn({ signal }),
    initialPageParam: 1,
    getNextPageParam: ({ next_page }) => next_page,
    // Structural sharing is off, because it would compare all previous pages again whenever a page is loaded.
    structuralSharing: false,
  });
  useEffect(() => {
    if (loadsAll && hasNextPage && !isFetching && error === null) fetchNextPage();
  }, [loadsAll, hasNextPage, isFetching, error]);
  return { data, error, hasNextPage, isFetching, loadNext: () => fetchNextPage(), loadAll: () => setLoadsAll(true) };
}

/** The drivers that have been loaded. The reader can select some and open their summaries. */
export function DriversView({ find }: { find: string }) {
  const { data, error, hasNextPage, isFetching, loadNext, loadAll } = useDrivers();
  const sorting = useSignal<Sorting | null>(null);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const count = data?.pages[0]?.count ?? 0;
  const loaded = data?.pages.flatMap(({ drivers }) => drivers) ?? [];
  const found = loaded.filter((driver) => matchesDriver(driver, find));
  const labelOf = (driver: Driver) => `Select ${driverName(driver)}`;
  const columns = [...COLUMNS, choiceColumn('driver_id', 'Select', chosen, labelOf, MAX_DRIVERS)];
  return (
    <>
      <PageHead title="Drivers">
        {chosen.value.size > 0 && (
          <a
            class="button primary"
            href={hrefOf({ view: 'summary', period: 'week', date: null, driverIds: [...chosen.value] })}
          >
            Summaries of {countText(chosen.value.size, 'selected driver')}
          </a>
        )}
        <CsvButton name="drivers.csv" columns={COLUMNS} rows={found} />
      </PageHead>
      <QueryState data={data} error={error} what="drivers" />
      {data && count === 0 && (
        <Empty title="No drivers yet">
          A driver appears as soon as the service has stored a trip or profile for that driver.
        </Empty>
      )}
      {count > 0 && (
        <>
          <div class="filters">
            <TextField
              label="Search the loaded drivers"
              type="search"
              placeholder="Name, alias, email or id"
              text={find}
              onChange={(text) => navigate(hrefOf({ view: 'drivers', find: text }), true)}
            />
            <p class="quiet" role="status">
              {find.trim() !== '' && `${decimal(found.length, 0)} found among `}
              {decimal(loaded.length, 0)} of {decimal(count, 0)} drivers loaded
            </p>
            {hasNextPage && (
              <span class="actions">
                <button type="button" disabled={isFetching} onClick={loadNext}>
                  Load {MAX_PAGE_SIZE} more
                </button>
                <button type="button" disabled={isFetching} onClick={loadAll}>
                  Load all
                </button>
              </span>
            )}
          </div>
          <DataTable
            caption="Drivers"
            columns={columns}
            rows={found}
            keyOf={({ driver_id }) => driver_id}
            sorting={sorting}
            empty={
              <Empty title="No driver found">
                No loaded driver matches all these words by name, alias, email or id.
              </Empty>
            }
          />
        </>
      )}
      <RequestPanel
        requests={data?.pages.map(({ current_page }) => reads.drivers(current_page)) ?? [reads.drivers(1)]}
        data={data?.pages ?? []}
      />
    </>
  );
}
