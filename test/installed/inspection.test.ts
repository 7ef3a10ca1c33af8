import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installed } from '../installed-package.js';

const { folder } = installed();
const model = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));
cpSync(model, join(folder, 'digits.onnx'));

/** What `console.log` prints. */
function printed(program: string): string {
  writeFileSync(join(folder, 'inspect.mjs'), program);
  return execFileSync(process.execPath, ['inspect.mjs'], { cwd: folder, encoding: 'utf8' }).trimEnd();
}

const DIGITS = `  inputs: { image: 'float32[batch,1,8,8]' },
  outputs: { probabilities: 'float32[batch,10]' }`;

const test = suite('what consoles show');

for (const [entry, threads] of [
  ['sardonyx', 'threads: 1'],
  ['sardonyx/worker', 'threads: 1'],
  ['sardonyx/inline', 'threads: 1'],
] as const)
  test(`a session of ${entry}`, () => {
    const output = printed(`
      import { InferenceSession } from '${entry}';
      const session = await InferenceSession.create('digits.onnx', { intraOpNumThreads: 1 });
      console.log(session);
      await session.release();
      console.log(session);
      console.log([{ deep: [session] }]);
      console.log(String(session), InferenceSession.name);`);
    const shown = (state: string) => `InferenceSession {\n${DIGITS},\n  ${state}\n}`;
    const rest = ['[ { deep: [ [InferenceSession] ] } ]', '[object InferenceSession] InferenceSession'];
    assert.is(output, [shown(threads), shown('released: true'), ...rest].join('\n'));
  });

test('a session of sardonyx/onnxruntime', () => {
  const output = printed(`
    import { InferenceSession } from 'sardonyx/onnxruntime';
    console.log(await InferenceSession.create('digits.onnx'), InferenceSession.name);`);
  assert.is(output, `InferenceSession {\n${DIGITS}\n} InferenceSession`);
});

test('a pool', () => {
  const output = printed(`
    import { createPool } from 'sardonyx/pool';
    const pool = await createPool('digits.onnx', { size: 1 });
    console.log(pool);
    await pool.release();
    console.log(pool);`);
  const shown = (state: string) => `SessionPool {\n${DIGITS},\n  ${state}\n}`;
  assert.is(output, [shown('size: 1,\n  queued: 0'), shown('released: true')].join('\n'));
});

test('tensors', () => {
  const output = printed(`
    import { Tensor } from 'sardonyx';
    import * as onnxruntime from 'sardonyx/onnxruntime';
    const tensor = new Tensor('float32', Float32Array.from({ length: 9 }, (_, i) => i), [3, 3]);
    console.log(tensor);
    tensor.dispose();
    console.log(tensor);
    console.log(new Tensor(['a', 'b']));
    console.log(new onnxruntime.Tensor('int64', [1n], [1]));
    console.log({ y: { z: [new Tensor('bool', [true])] } });`);
  assert.is(
    output,
    `Tensor {
  type: 'float32',
  dims: [ 3, 3 ],
  data: Float32Array(9) [
    0, 1, 2, 3,
    4, 5, 6, 7,
    ... 1 more item
  ]
}
Tensor { type: 'float32', dims: [ 3, 3 ], disposed: true }
Tensor { type: 'string', dims: [ 2 ], data: [ 'a', 'b' ] }
Tensor { type: 'int64', dims: [ 1 ], data: BigInt64Array(1) [ 1n ] }
{ y: { z: [ [Tensor] ] } }`,
  );
});

test('an error has its complaint and place, and prints neither twice', () => {
  const output = printed(`
    import { InferenceSession, SardonyxError } from 'sardonyx';
    const session = await InferenceSession.create('digits.onnx');
    const { complaint, place, ...rest } = await session.run({}).catch((error) => error);
    console.log(JSON.stringify([complaint, place, rest]), SardonyxError.name);`);
  const [complaint, place, rest] = JSON.parse(output.replace(/ SardonyxError$/, ''));
  assert.match(complaint, /is not fed/);
  assert.equal(place, { value: 'image' });
  assert.equal(Object.keys(rest).sort(), ['code', 'help', 'name']);
  assert.is(rest.code, 'MISSING_FEED');
});

test.run();
