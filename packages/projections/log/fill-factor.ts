/**
 * SQL for a table whose rows are updated often. If its page has free space, the new version of a row stays in the page
 * (a heap-only tuple). The next version reuses the space of the old one. Without free space, the new version goes to
 * another page, and each index gets an entry. The SQL runs after a replay has filled the table, so that the pages of
 * past days, which are most of the pages, stay dense.
 */
export const withFillFactor = (table: string) => `ALTER TABLE ${table} SET (fillfactor = 55);`;
