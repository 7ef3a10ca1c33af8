import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { quantizeWeights } from '../../../src/tools/index.js';
import { checked, distance, evenly, hasNative, loaded, run, runNatively, type Values } from './runs.js';

const test = suite('AWQ');

const [K, N] = [64, 48];

/** Every eighth input is thirty times as large as others. */
const inputs = (seed: number): Values => {
  const x = evenly(50 * K, seed).map((value, i) => (i % 8 === 3 ? 30 * value : value));
  return { x: tensor('float32', [50, K], x) };
};

/** Two layers that read the same, and one that reads their sum. */
function layersModel(opset: number): Uint8Array {
  const b = modelBuilder({ opset });
  const weight = (name: string, rows: number, columns: number, seed: number) =>
    b.constant(`${name}_weight`, tensor('float32', [rows, columns], evenly(rows * columns, seed)));
  const x = b.input('x', 'float32', ['n', K]);
  const a = b.op('MatMul', [x, weight('a', K, N, 1)], {}, { name: 'a' });
  const c = b.op('MatMul', [x, weight('c', K, N, 2)], {}, { name: 'c' });
  b.output('y', b.op('MatMul', [b.op('Tanh', [b.op('Sub', [a, c])]), weight('d', N, 8, 3)]), 'float32', ['n', 8]);
  b.output('a', a, 'float32', ['n', N]);
  b.output('c', c, 'float32', ['n', N]);
  return b.toBytes();
}

for (const format of ['MatMulNBits', 'DequantizeLinear'] as const)
  test(`${format}: where few inputs are large, outputs are nearer than without scales`, async () => {
    const float = layersModel(21);
    const model = await loaded(float);
    const other = inputs(9);
    const expected = await run(float, other);
    const by = async (method: 'default' | 'awq') =>
      checked(await quantizeWeights(model, { method, format, feeds: [inputs(3)] }));
    const [plain, scaled] = [await by('default'), await by('awq')];
    const [rounded, found] = [await run(plain, other), await run(scaled, other)];
    for (const name of ['a', 'c']) {
      const [before, after] = [distance(rounded[name], expected[name]), distance(found[name], expected[name])];
      assert.ok(after < 0.8 * before, `${name}: ${after} and ${before}`);
    }
    const { proto } = await loaded(scaled);
    assert.is(proto.graph?.node.filter(({ opType }) => opType === 'Mul').length, 2, 'one division for each input');
    if (!hasNative) return;
    const apart = distance(found.a, (await runNatively(scaled, other)).a);
    assert.ok(apart < 1e-4, `${apart} from onnxruntime`);
  });

test.run();
