// Writes witness.json: what onnxruntime makes of special values. Run where onnxruntime-node can be resolved:
//   NODE_PATH=FOLDER/node_modules node --import tsx test/special-values/witness.ts
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CASES, modelOf } from './witnessed.js';

const ort = createRequire(import.meta.url)('onnxruntime-node');

const shown = (x: number | bigint) => (Object.is(x, -0) ? '-0' : String(x));

const results: Record<string, string[]> = {};
for (const c of CASES) {
  const session = await ort.InferenceSession.create(modelOf(c), { graphOptimizationLevel: 'disabled' });
  const feeds = Object.fromEntries(
    c.inputs.map(({ type, data }, i) => [
      `x${i}`,
      new ort.Tensor(type, (type === 'float64' ? Float64Array : Float32Array).from(data), [data.length]),
    ]),
  );
  const { y } = await session.run(feeds);
  results[c.name] = Array.from(y.data as ArrayLike<number | bigint>, shown);
}
writeFileSync(new URL('witness.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
