/** Test data is temporary, so it does not have to survive a power failure. */
export const POSTGRES_SETTINGS: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_connections: '300',
};
