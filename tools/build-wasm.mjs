// Compiles assembly/ into one binary per target of asconfig.json, and build/kernels.ts beside them; puts the image decoders there too.
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import asc from 'assemblyscript/asc';

const transform = fileURLToPath(new URL('./kernel-manifest.mjs', import.meta.url));
const { targets } = JSON.parse(readFileSync('asconfig.json', 'utf8'));

for (const target of Object.keys(targets)) {
  const { error, stderr } = await asc.main(['--config', 'asconfig.json', '--target', target, '--transform', transform]);
  process.stderr.write(stderr.toString());
  if (error) {
    console.error(`assembly (${target}): ${error.message}`);
    process.exit(1);
  }
  const file = targets[target].outFile;
  const gzip = gzipSync(readFileSync(file), { level: 9 }).length;
  console.log(`${file}  ${(statSync(file).size / 1000).toFixed(1)} kB, ${(gzip / 1000).toFixed(1)} kB gzip`);
}

const DECODERS = {
  'jpeg-decoder': '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  'webp-decoder': '@jsquash/webp/codec/dec/webp_dec.wasm',
};
for (const [name, source] of Object.entries(DECODERS))
  copyFileSync(fileURLToPath(import.meta.resolve(source)), `build/${name}.wasm`);

// The kernels that run everywhere as text, for hosts without files. Those with relaxed SIMD would bring the package over 1 MB.
const inline = gzipSync(readFileSync('build/sardonyx.simd.wasm'), { level: 9 }).toString('base64');
writeFileSync('build/inline-kernels.ts', `/** Gzip, as base64. */\nexport const inlineKernels = '${inline}';\n`);
