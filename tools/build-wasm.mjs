// Compiles assembly/ into one binary per target of asconfig.json, and build/kernels.ts beside them; puts the image decoders there too,
// without what no picture comes to.
// A target whose sources, settings and compiler are what they were is left alone.
// usage: node tools/build-wasm.mjs [--target NAME]… [--fast] [--watch]
import { mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import zopfli from '@gfx/zopfli';
import { compileTargets } from './compile-targets.mjs';
import { inputsOf, isCurrent, targets } from './kernel-stamps.mjs';
import { trimmed } from './trim-decoders.mjs';

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: Object.keys(targets) },
    fast: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
  },
});
const unknown = values.target.find((name) => !(name in targets));
if (unknown) throw new Error(`--target ${unknown}: asconfig.json has ${Object.keys(targets).join(', ')}`);

const DECODERS = {
  'jpeg-decoder': '@cwasm/jpeg-turbo/jpeg-turbo.wasm',
  'webp-decoder': '@cwasm/webp/webp.wasm',
};

/** Kernels that run everywhere, which hosts without files have as text. Those with relaxed SIMD would bring the package over 1 MB. */
const INLINE = { inlineKernels: 'simd', inlineQuantized: 'quantized-simd' };

async function writeInlineKernels() {
  const texts = Object.entries(INLINE).map(async ([name, target]) => {
    const inline = Buffer.from(await zopfli.gzipAsync(readFileSync(targets[target].outFile), {}));
    return `/** Gzip, as base64. */\nexport const ${name} = '${inline.toString('base64')}';\n`;
  });
  writeFileSync('build/inline-kernels.ts', (await Promise.all(texts)).join(''));
}

/** Small enough to be text everywhere. */
function writeTiming() {
  const inline = readFileSync(targets.timing.outFile).toString('base64');
  writeFileSync('build/inline-timing.ts', `/** Base64. */\nexport const inlineTiming = '${inline}';\n`);
}

/** False where a target does not compile: what was there stays. */
async function build() {
  const inputs = inputsOf(values.fast);
  const stale = values.target.filter((name) => !isCurrent(name, inputs));
  for (const name of values.target) if (!stale.includes(name)) console.log(`${targets[name].outFile}  unchanged`);
  const isComplete = await compileTargets(stale, inputs);
  const inline = Object.values(INLINE);
  if (inline.some((name) => stale.includes(name)) && inline.every((name) => isCurrent(name, inputs)))
    await writeInlineKernels();
  if (stale.includes('timing') && isCurrent('timing', inputs)) writeTiming();
  return isComplete;
}

mkdirSync('build/inline', { recursive: true });
for (const [name, source] of Object.entries(DECODERS))
  writeFileSync(`build/${name}.wasm`, trimmed(name, readFileSync(fileURLToPath(import.meta.resolve(source)))));

const isComplete = await build();
if (!values.watch) process.exit(isComplete ? 0 : 1);

/** Editors write a file in several steps. */
const SETTLED_MS = 50;
let timer;
let building = Promise.resolve();
const rebuild = () => {
  building = building.then(build);
};
watch('assembly', { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(rebuild, SETTLED_MS);
});
console.log('watching assembly/');
