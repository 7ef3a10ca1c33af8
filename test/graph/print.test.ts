import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, reference, tensor } from '../../src/builder/index.js';
import { printModel } from '../../src/graph/print.js';

const test = suite('the printer');

test('a model as text', () => {
  const b = modelBuilder({ opset: 21, opsets: { 'com.x': 1 }, name: 'main' });
  b.function({ domain: 'local', name: 'Act', inputs: ['a'], attributes: ['alpha'], overload: 'v2' }, (f, [a]) => {
    f.output('r', f.op('LeakyRelu', [a], { alpha: reference('alpha', 'float') }));
  });
  const x = b.input('x', 'float32', ['n', 2]);
  const d = b.input('d', 'int64', [], { default: tensor('int64', [], [3]) });
  const long = b.constant('long', tensor('uint8', [10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
  const words = b.constant('words', tensor('string', [2], ['a', 'b"']));
  const body = b.subgraph('body', (g) => void g.output('o', g.op('Abs', [x])));
  const [y] = b.node(
    'Gelu',
    [x, null, long, d],
    { mode: 'fast', scale: [1, 2.5], body, names: ['p'] },
    { domain: 'com.x', outputs: ['y', null] },
  );
  b.output('y', y);
  b.output('z', b.op('Act', [words], { alpha: 0.5 }, { domain: 'local', overload: 'v2' }), {
    kind: 'sequence',
    of: { kind: 'tensor', element: 'bool' },
  });
  assert.is(
    printModel(b.toModel()),
    `opsets ai.onnx 21, com.x 1, local 1

function local.Act.v2(a) {
  r = LeakyRelu(a) {alpha: @alpha}
  return r
}

graph main(x: float32[n,2], d: int64[] = [3]) {
  long: uint8[10] = [0, 1, 2, 3, 4, 5, 6, 7, …]
  y, _ = com.x.Gelu(x, _, long, d) {mode: "fast", scale: [1, 2.5], body: body, names: ["p"]}
  body body() {
    o = Abs(x)
    return o
  }
  words: string[2] = ["a", "b\\""]
  z: seq(bool[…]) = local.Act.v2(words) {alpha: 0.5}
  return y, z
}`,
  );
});

test.run();
