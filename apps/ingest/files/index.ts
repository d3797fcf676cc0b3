export { type FileProgress, type IngestedFiles, type IngestFilesOptions, ingestFiles } from './ingest-files.ts';
