import { expose } from 'comlink';
import { env } from 'sardonyx';
import { type FolderSource, verifyModels } from 'sardonyx/model';
import type { Chosen, VerifyService } from '../contracts/verify.js';

const service: VerifyService = {
  verify(chosen, { variant, ...bounds }, onProgress) {
    env.wasm.variant = variant;
    let told = 0;
    return verifyModels(sourceOf(chosen), {
      ...bounds,
      onProgress({ done, total, model, set, outputs }) {
        const at = set === undefined ? model : `${model}, data set ${set}`;
        onProgress({ done, total, at, outputs: outputs.slice(told) });
        told = outputs.length;
      },
    });
  },
};

function sourceOf(chosen: Chosen): FolderSource {
  if (chosen.kind === 'folder') return chosen.handle;
  const [only, ...others] = chosen.files;
  const isZip = only !== undefined && others.length === 0 && /\.zip$/i.test(only.path);
  return isZip ? only.data : chosen.files.map(({ path, data }) => [path, data] as const);
}

expose(service);
