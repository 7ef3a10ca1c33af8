import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NEWEST_OPSETS } from '../../src/analysis/check-operators.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { readSchemas } from '../conformance/schemas.js';
import { expectRejection } from '../expect-error.js';
import { shared } from '../shared-data.js';

const test = suite('what create says of a model');

const { warn } = console;
let warnings: string[] = [];
test.before.each(() => {
  warnings = [];
  console.warn = (text: string) => void warnings.push(text);
});
test.after.each(() => {
  console.warn = warn;
});

const schemas = shared('onnx-schemas');
test('the opsets that are known are those of the schemas', () => {
  for (const [domain, newest] of Object.entries(NEWEST_OPSETS)) {
    const versions = readSchemas(schemas).filter((schema) => schema.domain === domain);
    assert.is(newest, Math.max(...versions.map(({ since }) => since)), domain);
  }
});

test('operators in functions and in subgraphs of subgraphs are found', async () => {
  const b = modelBuilder({ opset: 21 });
  b.function({ domain: 'local', name: 'Block', inputs: ['a'] }, (body, [a]) =>
    body.output('out', body.op('Whatever', [a])),
  );
  const [x, condition] = [b.input('x', 'float32', [2]), b.input('c', 'bool', [])];
  const called = b.op('Block', [x], {}, { domain: 'local', name: 'call' });
  const inner = b.subgraph('inner', (outer) => {
    const deep = (name: string) =>
      outer.subgraph(name, (g) => g.output(`${name}_out`, g.op('Deep', [x], {}, { name: 'deepest' })));
    const [then_branch, else_branch] = [deep('p'), deep('q')];
    outer.output('i', outer.op('If', [condition], { then_branch, else_branch }, { name: 'inside' }));
  });
  const other = b.subgraph('other', (g) => g.output('o', g.op('Identity', [x])));
  b.output('y', b.op('If', [condition], { then_branch: inner, else_branch: other }, { name: 'outside' }));
  b.output('z', called);
  const said =
    /ai\.onnx: Deep \(×2, first "deepest" in then_branch of If "inside"\), Whatever \(×1, .* in the function local\.Block\)/;
  await expectRejection('UNSUPPORTED_OPERATOR', said, InferenceSession.create(b.toBytes()));
});

test('an attribute that operators do not have is reported once for all of them, and changes nothing', async () => {
  const b = modelBuilder({ opset: 21 });
  let x = b.input('x', 'float32', [1, 2]);
  for (let i = 0; i < 3; i++) x = b.op('Softmax', [x], { axis: 1, axes: 0 }, { name: `s${i}` });
  b.output('y', x);
  for (let round = 0; round < 2; round++) {
    const session = await InferenceSession.create(b.toBytes());
    const { y } = await session.run({ x: tensor('float32', [1, 2], [3, 3]) });
    assert.equal([...((y as TensorValue).data as Float32Array)], [0.5, 0.5]);
  }
  assert.is(warnings.length, 1);
  assert.match(
    warnings[0] as string,
    /Softmax "s0" and 2 more: the operator has no attribute "axes"; did you mean "axis"\? The attribute is ignored/,
  );
});

test('an opset to come is reported once, and its model runs', async () => {
  const b = modelBuilder({ opset: 31, name: 'from the future' });
  b.output('y', b.op('Neg', [b.input('x', 'float32', [1])]));
  for (let round = 0; round < 2; round++) {
    const session = await InferenceSession.create(b.toBytes());
    const { y } = await session.run({ x: tensor('float32', [1], [3]) });
    assert.is((y as TensorValue).data[0], -3);
  }
  assert.is(warnings.length, 1);
  assert.match(
    warnings[0] as string,
    /opset 31 of ai\.onnx, which is newer than 28 \(model "from the future", made by sardonyx\)/,
  );
});

test("onnxruntime's options are let pass, unknown ones reported once", async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Neg', [b.input('x', 'float32', ['n'])]));
  const foreign = {
    executionProviders: ['wasm', { name: 'cpu' }],
    interOpNumThreads: 1,
    enableCpuMemArena: true,
    enableMemPattern: true,
    executionMode: 'sequential',
    optimizedModelFilePath: 'x',
    profileFilePrefix: 'x',
    logId: 'x',
    logSeverityLevel: 2,
    logVerbosityLevel: 0,
    preferredOutputLocation: 'cpu',
    enableGraphCapture: false,
    extra: {},
  };
  const session = await InferenceSession.create(b.toBytes(), foreign as object);
  const x = tensor('float32', [1], [3]);
  await session.run({ x }, { logSeverityLevel: 2, logVerbosityLevel: 0, tag: 'x', extra: {} });
  assert.equal(warnings, []);
  for (let round = 0; round < 2; round++) {
    await InferenceSession.create(b.toBytes(), { onProgres: () => {}, freeDimensionOverrides: { m: 3 } } as object);
    await session.run({ x }, undefined, { sginal: null } as object);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(warnings.length, 3, warnings.join('\n'));
  for (const said of [
    /"onProgres".*did you mean "onProgress"/,
    /no size "m"; its dynamic dimensions are "n"/,
    /"sginal" of run.*"signal"/,
  ])
    assert.ok(
      warnings.some((text) => said.test(text)),
      `${said}`,
    );
});

test('what is no option is fetches, and the other way round', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('signal', b.op('Neg', [b.input('x', 'float32', [1])]));
  const session = await InferenceSession.create(b.toBytes());
  const x = tensor('float32', [1], [3]);
  assert.equal(Object.keys(await session.run({ x }, { signal: null } as never)), ['signal']);
  await expectRejection('UNKNOWN_OUTPUT', /"signl".*did you mean "signal"/, session.run({ x }, { signl: null }));
});

test.run();
