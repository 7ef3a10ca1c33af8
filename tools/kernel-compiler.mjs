// A worker that compiles one target of asconfig.json per message.
import { parentPort } from 'node:worker_threads';
import asc from 'assemblyscript/asc';
import { kernelManifest } from './kernel-manifest.mjs';
import { MathWithoutTables } from './math-without-tables.mjs';

/** asc merges what asconfig.json says into its arguments, and a flag that is true there cannot be unset. */
const NO_CONFIG = ['--config', 'none'];

parentPort.on('message', async ({ entries, options }) => {
  const made = {};
  const transforms = [MathWithoutTables, kernelManifest(entries, (text) => Object.assign(made, { manifest: text }))];
  const writeFile = (_, binary) => Object.assign(made, { binary });
  const args = [...entries, ...NO_CONFIG, ...asc.configToArguments(options)];
  const { error, stderr } = await asc.main(args, { transforms, writeFile });
  parentPort.postMessage({ ...made, error: error?.message, complaints: stderr.toString() });
});
