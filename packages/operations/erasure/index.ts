export { erase } from './erase.ts';
export { previewErasure } from './preview.ts';
