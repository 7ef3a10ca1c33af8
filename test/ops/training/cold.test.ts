import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('Gradient, the first thing a process does');

const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Of a process that has loaded no groups of operators but those that the model's own need. */
const SCRIPT = `
import { modelBuilder, tensor } from ${at('../../../src/builder/index.js')};
import { InferenceSession } from ${at('../../../src/session/inference-session.js')};
import { differentiate } from ${at('expect-derivatives.js')};

const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.preview.training': 1 } });
const x = b.input('x', 'float32', [3, 1, 2]);
const w = b.constant('w', tensor('float32', [1, 1, 2], [1, 1]));
const r = b.constant('r', tensor('float32', [1, 1, 1], [1]));
const y = b.output('y', b.op('ReduceSum', [b.op('RNN', [x, w, r], { hidden_size: 1, activations: ['Relu'] })], { keepdims: 0 }));
differentiate(b, [x], y);
const session = await InferenceSession.create(b.toBytes());
const results = await session.run({ x: tensor('float32', [3, 1, 2], [1, 2, 3, 4, 5, 6]) });
console.log(JSON.stringify([results.y.data[0], ...results['d x'].data]));
`;

test('a recurrent network', () => {
  const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT], {
    encoding: 'utf8',
  });
  // The states are the running sums 3, 10 and 21: what comes first counts three times.
  assert.equal(JSON.parse(output), [34, 3, 3, 2, 2, 1, 1]);
});

test.run();
