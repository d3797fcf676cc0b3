/** Has a program believe that it runs on an older Node (`node --import OLDER_NODE`), and says so of each process that does. */
export const OLDER_NODE = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });",
)}`;
