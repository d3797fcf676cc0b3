export { migrate, NewerSchemaError } from './migrate.ts';
