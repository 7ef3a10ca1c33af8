// Writes the models of cases.ts, and those that are named, beside their packages, for witness.py:
//   node --import tsx test/toolkit/coreml/write-cases.ts FOLDER [MODEL.onnx …]

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadModel, saveModel, setDims, toCoreML } from '../../../src/tools/index.js';
import { CASES } from './cases.js';

const [folder = '', ...models] = process.argv.slice(2);

/** One of all that is open. */
async function fixed(bytes: Uint8Array): Promise<Uint8Array> {
  const model = await loadModel(bytes);
  const names = (model.proto.graph?.input ?? []).flatMap(({ type }) =>
    (type?.tensorType?.shape?.dim ?? []).flatMap(({ dimParam }) => dimParam || []),
  );
  const symbols = Object.fromEntries(names.map((name) => [name, /sequence/.test(name) ? 7 : 1]));
  return names.length > 0 ? saveModel(await setDims(model, { symbols })) : bytes;
}

const others = models.map((path) => ({ name: `model_${basename(dirname(path))}`, bytes: readFileSync(path) }));
for (const { name, bytes } of [...CASES, ...others]) {
  const model = await fixed(bytes);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.onnx`), model);
  for (const [path, file] of await toCoreML(await loadModel(model))) {
    const to = join(folder, `${name}.mlpackage`, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, file);
  }
}
