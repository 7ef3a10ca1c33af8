import * as tools from '/node_modules/sardonyx/dist/model.js';
import { hashes } from './toolkit.js';

/** A model that is written to OPFS with its weights beside it, and read from there. */
async function kept(bytes) {
  const { fromExternalData, loadModel, saveModel } = tools;
  const folder = await navigator.storage.getDirectory();
  const names = async () => (await Array.fromAsync(folder.keys())).sort();
  await saveModel(await loadModel(bytes), { folder, name: 'm.onnx' }, { externalData: { threshold: 0 } });
  const handle = await folder.getFileHandle('m.onnx');
  const data = await folder.getFileHandle('m.onnx.data');
  const model = await loadModel(handle, { externalData: [{ path: 'm.onnx.data', data }] });
  const whole = await saveModel(await fromExternalData(model));
  const aborted = await saveModel(model, { folder, name: 'n.onnx' }, { signal: AbortSignal.abort() }).catch(
    ({ code }) => code,
  );
  return { names: await names(), bytes: [...whole], aborted };
}

const found = async () => {
  const bytes = new Uint8Array(await (await fetch('model.onnx')).arrayBuffer());
  return { hashes: await hashes(tools, bytes), kept: await kept(bytes) };
};
globalThis.outcome = found();
