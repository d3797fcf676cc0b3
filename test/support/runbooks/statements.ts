/** The commands that find and end statements that block others. Several runbooks contain them. */
export const SHOW_ACTIVITY = `psql "$DATABASE_URL" --command "SELECT pid, pg_blocking_pids(pid) AS waits_for, now() - query_start AS age, left(query, 60) AS query FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' ORDER BY query_start"`;
export const CANCEL_STATEMENT = 'psql "$DATABASE_URL" --command "SELECT pg_cancel_backend(PID)"';
