export { type Cell, COLUMNS, type Kind, type Row, type Subject } from './columns.ts';
export { isKnownFleet, type RowsRequest, readPages } from './pages.ts';
