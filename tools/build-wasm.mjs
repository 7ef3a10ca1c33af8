// Compiles assembly/ into one binary per target of asconfig.json, two at a time, with build/kernels.ts; only targets whose sources,
// settings or compiler have changed. Copies the image decoders next to them.
// usage: node tools/build-wasm.mjs [--target NAME]… [--fast]
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { hashOf, isCurrent, stamp } from './stamps.mjs';

const { targets, ...config } = JSON.parse(readFileSync('asconfig.json', 'utf8'));

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: Object.keys(targets) },
    fast: { type: 'boolean', default: false },
  },
});
const unknown = values.target.find((name) => !(name in targets));
if (unknown) throw new Error(`--target ${unknown}: asconfig.json has ${Object.keys(targets).join(', ')}`);

/** For development: takes half of the time, and kernels are a third larger. */
const FAST = { optimizeLevel: 1 };

const fileOf = (specifier) => fileURLToPath(import.meta.resolve(specifier));

/** Kernels that run everywhere, for hosts without files. */
const INLINE = { inlineKernels: 'simd', inlineQuantized: 'quantized-simd' };

/** A target's compilation job: the files that export its kernels, and the compiler's options. */
function jobOf(target) {
  const { entries = config.entries, ...own } = targets[target];
  return { entries, options: { ...config.options, ...own, ...(values.fast && FAST) } };
}

const TOOLS = ['tools/kernel-compiler.mjs', 'tools/kernel-manifest.mjs', fileOf('assemblyscript/package.json')];
const inputsOf = (target) => hashOf(['assembly', ...TOOLS], jobOf(target));

/** A target's binary, and its kernels' parameters in TypeScript. */
function outputsOf(target) {
  const [entry] = targets[target].entries ?? [];
  return [targets[target].outFile, entry ? `build/${basename(entry, '.ts')}-kernels.ts` : 'build/kernels.ts'];
}

/** Compilers are reused for the next targets: a warm one takes two thirds of the time. */
const compilers = [];

/** Compiles targets and writes their stamps; false if not all have compiled. */
async function compileAll(waiting) {
  const count = Math.min(waiting.length, availableParallelism());
  while (compilers.length < count) compilers.push(new Worker(new URL('./kernel-compiler.mjs', import.meta.url)));
  const compileNext = async (compiler) => {
    for (let target = waiting.shift(); target; target = waiting.shift())
      if (!(await compile(compiler, target))) return false;
    return true;
  };
  return (await Promise.all(compilers.map(compileNext))).every(Boolean);
}

async function compile(compiler, target) {
  const inputs = inputsOf(target);
  const outputs = outputsOf(target);
  compiler.postMessage(jobOf(target));
  const [{ binary, manifest, complaints, error }] = await once(compiler, 'message');
  process.stderr.write(complaints);
  if (error) {
    console.error(`assembly (${target}): ${error}`);
    return false;
  }
  writeFileSync(outputs[0], binary);
  writeFileSync(outputs[1], manifest);
  stamp(target, inputs, outputs);
  console.log(`${outputs[0]}  ${binary.length} bytes${values.fast ? ', for development only' : ''}`);
  return true;
}

/** Writes binaries as text in modules. */
function writeInline() {
  const lines = Object.entries(INLINE).map(([name, target]) => {
    const packed = gzipSync(readFileSync(targets[target].outFile), { level: 9 });
    return `/** Gzip, as base64. */\nexport const ${name} = '${packed.toString('base64')}';\n`;
  });
  writeFileSync('build/inline-kernels.ts', lines.join(''));
  const timing = readFileSync(targets.timing.outFile).toString('base64');
  writeFileSync('build/inline-timing.ts', `/** Base64. */\nexport const inlineTiming = '${timing}';\n`);
}

mkdirSync('build/inline', { recursive: true });
copyFileSync(fileOf('@cwasm/jpeg-turbo/jpeg-turbo.wasm'), 'build/jpeg-decoder.wasm');
copyFileSync(fileOf('@cwasm/webp/webp.wasm'), 'build/webp-decoder.wasm');

const stale = values.target.filter((name) => !isCurrent(name, inputsOf(name), outputsOf(name)));
for (const name of values.target) if (!stale.includes(name)) console.log(`${targets[name].outFile}  unchanged`);
const isComplete = await compileAll(stale);
if (isComplete) writeInline();
process.exit(isComplete ? 0 : 1);
