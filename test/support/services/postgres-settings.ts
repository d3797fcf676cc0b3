/** Test data is thrown away, so nothing of it has to survive a power cut. */
export const POSTGRES_SETTINGS: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_connections: '300',
};
