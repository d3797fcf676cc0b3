/** Makes a program report an older version of Node (`node --import OLDER_NODE`). */
export const OLDER_NODE = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });",
)}`;
