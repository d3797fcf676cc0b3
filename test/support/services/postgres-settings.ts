/** Test data is temporary, so it need not survive a power failure. */
export const POSTGRES_SETTINGS: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_connections: '300',
};
