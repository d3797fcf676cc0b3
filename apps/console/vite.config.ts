import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Writes compressed copies of all text files, so that the servers do not have to compress responses. */
function compressFiles(): Plugin {
  let folder = '';
  return {
    name: 'compress-files',
    configResolved({ build }) {
      folder = build.outDir;
    },
    closeBundle() {
      for (const file of globSync('assets/*.{js,css,svg}', { cwd: folder })) {
        const path = join(folder, file);
        const content = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(content));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** Builds one bundle. Vite's mode is the name of the bundle's source folder. */
export default defineConfig(({ mode }) => ({
  root: join(import.meta.dirname, mode),
  // Addresses are relative to index.html, so that a bundle works under any path.
  base: './',
  build: {
    // The Content-Security-Policy allows images from the same origin, but not from data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
  },
  plugins: [compressFiles()],
}));
