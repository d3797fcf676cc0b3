export { type Cell, COLUMNS, type Kind, type Subject } from './columns.ts';
export { isKnownFleet, type Row, type RowsRequest, readPages } from './pages.ts';
