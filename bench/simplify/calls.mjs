// Milliseconds of the first and later calls of one library's simplify in a process, as JSON in a file, since both libraries print.
// usage: node calls.mjs sardonyx|onnxsim MODEL RESULT
import { readFileSync, writeFileSync } from 'node:fs';

const [, , library, path, result] = process.argv;
const model = readFileSync(path);

/** Functions from a model's bytes to a simplified model's bytes; code is loaded before. */
const LIBRARIES = {
  sardonyx: async () => {
    const { loadModel, saveModel, simplify } = await import('../../dist/model.js');
    return async () => saveModel((await simplify(await loadModel(model))).model);
  },
  onnxsim: async () => {
    const { simplify } = await import('onnxsim');
    return () => simplify(model);
  },
};

const LATER = { calls: 5, milliseconds: 10_000 };

const call = await LIBRARIES[library]();
const timed = async () => {
  const start = performance.now();
  await call();
  return performance.now() - start;
};
const first = await timed();
const later = [];
for (let spent = 0; later.length < LATER.calls && (later.length === 0 || spent < LATER.milliseconds); ) {
  later.push(await timed());
  spent += later.at(-1);
}
writeFileSync(result, JSON.stringify({ first, later: later.sort((a, b) => a - b)[later.length >> 1] }));
