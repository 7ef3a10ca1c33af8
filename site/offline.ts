import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Larger files are kept once they have been used: the chat model. */
const MOST_BYTES = 1e6;

/** Writes the service worker with the list of the site's files, and a version that follows from their contents. */
export function writeServiceWorker(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file !== 'service-worker.js' && isKept(join(folder, file)))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  const script = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8')
    .replace('__VERSION__', hash.digest('hex').slice(0, 16))
    .replace("['__FILES__']", JSON.stringify(files.map((file) => file.replace(/(^|\/)index\.html$/, '$1') || './')));
  writeFileSync(join(folder, 'service-worker.js'), script);
}

function isKept(path: string): boolean {
  const stats = statSync(path);
  return stats.isFile() && stats.size <= MOST_BYTES;
}
