import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rollup } from 'vite';

/** Files of the package that the app does not use: threads, quantization, image decoders. */
const UNUSED = /-decoder-|kernel-worker-|quantized\./;

/** Draws the icon, and writes the list of the app's files into the service worker. */
export function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    writeBundle({ dir = 'dist' }, bundle) {
      const onDemand = scriptsOnDemand(bundle);
      writeFileSync(join(dir, 'icon.svg'), icon());
      const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
        .filter(
          (file) =>
            file !== 'service-worker.js' &&
            !UNUSED.test(file) &&
            !onDemand.has(file) &&
            statSync(join(dir, file)).isFile(),
        )
        .map((file) => file.replaceAll('\\', '/'))
        .sort();
      const hash = createHash('sha256');
      for (const file of files) hash.update(file).update(readFileSync(join(dir, file)));
      const script = readFileSync(new URL('src/service-worker.js', import.meta.url), 'utf8')
        .replace('__VERSION__', hash.digest('hex').slice(0, 16))
        .replace("['__FILES__']", JSON.stringify(files.map((file) => file.replace(/^index\.html$/, './'))));
      writeFileSync(join(dir, 'service-worker.js'), script);
    },
  };
}

/** Scripts that the page loads on demand. It never does, because the worker is a single file that contains everything. */
function scriptsOnDemand(bundle: Rollup.OutputBundle): ReadonlySet<string> {
  const chunks = new Map(
    Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
  );
  const onDemand = new Set(chunks.keys());
  const keep = (name: string) => {
    if (onDemand.delete(name)) chunks.get(name)?.imports.forEach(keep);
  };
  for (const [name, { isEntry }] of chunks) if (isEntry) keep(name);
  return onDemand;
}

const THREE = [
  '  5994  ', //
  ' 79  96 ',
  '     98 ',
  '   699  ',
  '   5897 ',
  '      98',
  ' 75  79 ',
  '  6994  ',
];

/** An 8×8 digit in the safe area of a maskable icon. */
function icon(): string {
  const pixels = THREE.flatMap((row, y) =>
    [...row].map((level, x) => `<rect x="${x}" y="${y}" width="1" height="1" opacity="${Number(level) / 9}"/>`),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="-4 -4 16 16">
<rect x="-4" y="-4" width="16" height="16" fill="#9c3d1e"/>
<g fill="#fff">${pixels.filter((pixel) => !pixel.includes('opacity="0"')).join('')}</g>
</svg>
`;
}
