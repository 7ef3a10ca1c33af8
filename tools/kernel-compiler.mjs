// A worker that compiles one target of asconfig.json per message.
import { parentPort } from 'node:worker_threads';
import asc from 'assemblyscript/asc';
import { Transform } from 'assemblyscript/transform';
import { kernelManifest } from './kernel-manifest.mjs';

/**
 * Makes the standard library's remaining exp, log and pow of float64 (assembly/math/float64.ts replaces some) use no tables, which are 7 kB
 * of a page after gzip. The library decides by the shrink level of the whole program, which must not change for the kernels themselves.
 */
class MathWithoutTables extends Transform {
  afterInitialize({ elementsByName }) {
    const level = elementsByName.get('ASC_SHRINK_LEVEL');
    level.setConstantIntegerValue(globalThis.i64_one, level.type);
  }
}

parentPort.on('message', async ({ entries, options }) => {
  const made = {};
  const transforms = [MathWithoutTables, kernelManifest(entries, (text) => Object.assign(made, { manifest: text }))];
  const writeFile = (_, binary) => Object.assign(made, { binary });
  // asc would merge asconfig.json into its arguments, and a flag that is true there cannot be unset.
  const args = [...entries, '--config', 'none', ...asc.configToArguments(options)];
  const { error, stderr } = await asc.main(args, { transforms, writeFile });
  parentPort.postMessage({ ...made, error: error?.message, complaints: stderr.toString() });
});
