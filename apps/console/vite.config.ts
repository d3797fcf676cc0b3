import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Puts a compressed form beside each text, so that servers compress nothing while they answer. */
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

/** One bundle each run: the mode names the folder of its sources. */
export default defineConfig(({ mode }) => ({
  root: join(import.meta.dirname, mode),
  // Addresses relative to index.html: a bundle works under any path.
  base: './',
  build: {
    // The Content-Security-Policy allows images from the same origin, and no data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
  },
  plugins: [compressFiles()],
}));
