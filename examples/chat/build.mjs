// Builds dist/: the page, its worker with transformers.js and Sardonyx, the kernels, the model, and a service worker that caches all of them.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = process.argv[2] ?? join(folder, 'dist');

/** The page does not use the image decoders. */
const UNUSED = /-decoder/;

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: ['src/page.js', 'src/worker.js'],
  outdir: join(dist, 'assets'),
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  alias: { 'onnxruntime-web': 'sardonyx/onnxruntime', 'onnxruntime-common': 'sardonyx/onnxruntime' },
  tsconfigRaw: {}, // The repository's tsconfig maps the package to its sources.
  logLevel: 'error',
});
const kernels = join(dirname(fileURLToPath(import.meta.resolve('sardonyx'))), '../build');
for (const file of readdirSync(kernels).filter((name) => name.endsWith('.wasm') && !UNUSED.test(name)))
  cpSync(join(kernels, file), join(dist, 'build', file));
cpSync(join(folder, 'model'), join(dist, 'models/king-james'), { recursive: true });
cpSync(join(folder, 'public'), dist, { recursive: true });
for (const file of ['index.html', 'style.css']) cpSync(join(folder, file), join(dist, file));

const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((file) => statSync(join(dist, file)).isFile())
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
const hash = createHash('sha256');
for (const file of files) hash.update(file).update(readFileSync(join(dist, file)));
const script = readFileSync(join(folder, 'src/service-worker.js'), 'utf8')
  .replace('__VERSION__', hash.digest('hex').slice(0, 16))
  .replace("['__FILES__']", JSON.stringify(files.map((file) => file.replace(/^index\.html$/, './'))));
writeFileSync(join(dist, 'service-worker.js'), script);
