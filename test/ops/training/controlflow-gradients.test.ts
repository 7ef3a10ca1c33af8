import { suite } from 'uvu';
import { type GraphBuilder, tensor } from '../../../src/builder/index.js';
import type { Graph, Value } from '../../../src/graph/graph.js';
import { expectRejection } from '../../expect-error.js';
import { randomly } from '../../session/run-model.js';
import { int } from '../../values.js';
import { expectDerivatives } from './expect-derivatives.js';

const test = suite('Gradient through control flow');

const next = randomly(5);
const draw = (...dims: number[]) =>
  tensor(
    'float64',
    dims,
    Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => 2 * next() - 1),
  );

/** Results of a graph, in order. */
const outputs = (g: GraphBuilder, values: readonly Value[]) => {
  for (const [k, value] of values.entries()) g.output(`${value.name}_${k}`, g.op('Identity', [value]));
};

function loopBody(
  b: GraphBuilder,
  name: string,
  states: number,
  build: (g: GraphBuilder, i: Value, states: Value[]) => { goesOn?: Value; results: Value[] },
): Graph {
  return b.subgraph(name, (g) => {
    const i = g.input(`${name}_i`, 'int64', []);
    const goes = g.input(`${name}_goes`, 'bool', []);
    const own = Array.from({ length: states }, (_, k) =>
      g.input(`${name}_state${k}`, { kind: 'tensor', element: 'float64' }),
    );
    const { goesOn = goes, results } = build(g, i, own);
    outputs(g, [goesOn, ...results]);
  });
}

for (const taken of [1, -1])
  test(`If, the condition being ${taken > 0}`, async () => {
    await expectDerivatives({ x: draw(2, 3), w: draw(3), c: tensor('float64', [], [taken]) }, 21, (b, [x, w, c]) => {
      const condition = b.op('Greater', [c as Value, b.constant('zero', tensor('float64', [], [0]))]);
      const branch = (name: string, op: string, second: Value) =>
        b.subgraph(name, (g) => {
          const product = g.op(op, [x as Value, second]);
          outputs(g, [g.op('Tanh', [product]), g.op('Exp', [x as Value])]);
        });
      const branches = {
        then_branch: branch('then', 'Mul', w as Value),
        else_branch: branch('else', 'Add', x as Value),
      };
      return b.node('If', [condition], branches, { outputs: 2 });
    });
  });

test('Loop that carries, collects and captures', async () => {
  await expectDerivatives({ x: draw(2, 3), w: draw(3), a: draw(4, 3) }, 21, (b, [x, w, a]) => {
    const body = loopBody(b, 'body', 1, (g, i, [state]) => {
      const row = g.op('Gather', [a as Value, i]);
      const moved = g.op('Tanh', [g.op('Add', [g.op('Mul', [state as Value, w as Value]), row])]);
      return { results: [moved, g.op('ReduceSumSquare', [moved], { keepdims: 0 })] };
    });
    return b.node('Loop', [b.constant('count', int(4)), null, x as Value], { body }, { outputs: 2 });
  });
});

test('Loop that ends by its condition, and one that does not run', async () => {
  await expectDerivatives({ x: tensor('float64', [], [1.1]) }, 21, (b, [x]) => {
    const body = loopBody(b, 'body', 1, (g, _, [state]) => {
      const squared = g.op('Mul', [state as Value, state as Value]);
      return { goesOn: g.op('Less', [squared, g.constant('bound', tensor('float64', [], [3]))]), results: [squared] };
    });
    const [grown] = b.node('Loop', [null, null, x as Value], { body }) as [Value];
    const none = loopBody(b, 'none', 1, (g, _, [state]) => ({ results: [g.op('Exp', [state as Value])] }));
    return [...b.node('Loop', [b.constant('never', int(0)), null, grown], { body: none })];
  });
});

test('Loop whose state grows', async () => {
  await expectDerivatives({ x: draw(2), w: draw(1) }, 21, (b, [x, w]) => {
    const body = loopBody(b, 'body', 1, (g, _, [state]) => {
      const sum = g.op('ReduceSum', [g.op('Mul', [state as Value, state as Value])], { keepdims: 1 });
      return { results: [g.op('Concat', [state as Value, g.op('Mul', [sum, w as Value])], { axis: 0 })] };
    });
    return b.node('Loop', [b.constant('count', int(3)), null, x as Value], { body });
  });
});

test('Loop inside a Loop', async () => {
  await expectDerivatives({ x: draw(3), w: draw(3) }, 21, (b, [x, w]) => {
    const body = loopBody(b, 'outer', 1, (g, _, [state]) => {
      const inner = loopBody(g, 'inner', 1, (h, _, [own]) => ({
        results: [h.op('Sin', [h.op('Add', [h.op('Mul', [own as Value, w as Value]), state as Value])])],
      }));
      return { results: [g.op('Loop', [g.constant('twice', int(2)), null, state as Value], { body: inner })] };
    });
    return b.node('Loop', [b.constant('count', int(3)), null, x as Value], { body });
  });
});

for (const [reversedIn, reversedOut] of [
  [0, 0],
  [1, 0],
  [0, 1],
])
  test(`Scan, directions ${reversedIn} and ${reversedOut}, along other axes than the first`, async () => {
    await expectDerivatives({ h: draw(2), x: draw(2, 4), w: draw(2, 2) }, 21, (b, [h, x, w]) => {
      const body = b.subgraph('step', (g) => {
        const [state, row] = ['state', 'row'].map((name) => g.input(name, 'float64', [2])) as [Value, Value];
        const moved = g.op('Tanh', [g.op('Add', [g.op('MatMul', [state, w as Value]), row])]);
        outputs(g, [moved, g.op('Mul', [moved, row])]);
      });
      const attributes = {
        body,
        num_scan_inputs: 1,
        scan_input_axes: [-1],
        scan_input_directions: [reversedIn as number],
        scan_output_axes: [1],
        scan_output_directions: [reversedOut as number],
      };
      return b.node('Scan', [h as Value, x as Value], attributes, { outputs: 2 });
    });
  });

test('random numbers in a differentiated subgraph are refused', async () => {
  await expectRejection(
    'UNSUPPORTED_OPERATOR',
    /RandomNormalLike.*draws numbers inside a differentiated subgraph/,
    expectDerivatives({ x: draw(3) }, 21, (b, [x]) => {
      const body = loopBody(b, 'body', 1, (g, _, [state]) => ({
        results: [g.op('Mul', [state as Value, g.op('RandomNormalLike', [x as Value])])],
      }));
      return b.node('Loop', [b.constant('count', int(2)), null, x as Value], { body });
    }),
  );
});

test.run();
