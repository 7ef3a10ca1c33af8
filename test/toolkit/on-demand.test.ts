import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as tools from '../../src/tools/index.js';
import * as packed from '../../src/tools/on-demand.js';

const test = suite('the toolkit on demand');

test('has all that is declared, and nothing else', () => {
  assert.equal(Object.keys(packed).sort(), Object.keys(tools).sort());
  const packedAs: { readonly [Name in keyof typeof tools]: (typeof tools)[Name] } = packed;
  for (const [name, value] of Object.entries(tools))
    assert.is(typeof packedAs[name as keyof typeof tools], typeof value);
});

test('does what it is asked for, and hands on what is thrown', async () => {
  const model = packed.parseModel(
    '<ir_version: 10, opset_import: ["": 21]> g (float[N] x) => (float[N] y) { y = Abs(x) }',
  );
  assert.equal(await packed.checkModel(model), []);
  assert.is((await packed.simplify(model)).model.proto.graph?.node.length, 1);
  const error = await packed.convertVersion(model, 10_000).catch((thrown) => thrown);
  assert.instance(error, tools.SardonyxError);
});

test.run();
