import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Gives the service worker the list of the page's files, and a version that follows from what is in them. */
export function offline(): Plugin {
  let folder = 'dist';
  return {
    name: 'offline',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file !== 'service-worker.js' && statSync(join(folder, file)).isFile())
        .map((file) => file.replaceAll('\\', '/'))
        .sort();
      const hash = createHash('sha256');
      for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
      const script = readFileSync(new URL('src/app/offline/service-worker.js', import.meta.url), 'utf8')
        .replace('__VERSION__', hash.digest('hex').slice(0, 16))
        .replace("['__FILES__']", JSON.stringify(files.map((file) => file.replace(/^index\.html$/, './'))));
      writeFileSync(join(folder, 'service-worker.js'), script);
    },
  };
}
