import type { Signal } from '@preact/signals';
import type { Column } from './data-table.tsx';

/**
 * A column of checkboxes with which the reader chooses rows. A sorted table needs a new column after each change.
 *
 * @param id the name of the field that identifies a row
 * @param labelOf returns the accessible name of a row's checkbox; null if the row cannot be chosen
 * @param maximum the maximum number of chosen rows
 */
export function choiceColumn<Name extends string, Row extends Record<Name, string | number>>(
  id: Name,
  title: string,
  chosen: Signal<ReadonlySet<Row[Name]>>,
  labelOf: (row: Row) => string | null,
  maximum = Infinity,
): Column<Row> {
  const choose = (row: Row, isChosen: boolean) => {
    const others = [...chosen.value].filter((other) => other !== row[id]);
    chosen.value = new Set(isChosen ? [...others, row[id]] : others);
  };
  const isChosen = (row: Row) => chosen.value.has(row[id]);
  return {
    name: 'chosen',
    title,
    isControl: true,
    value: (row) => (isChosen(row) ? 0 : 1),
    cell: (row) => {
      const label = labelOf(row);
      return (
        label !== null && (
          <input
            type="checkbox"
            aria-label={label}
            checked={isChosen(row)}
            disabled={!isChosen(row) && chosen.value.size >= maximum}
            onChange={({ currentTarget }) => choose(row, currentTarget.checked)}
          />
        )
      );
    },
  };
}
