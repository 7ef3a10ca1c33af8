import { modelBuilder, tensor } from '../../src/builder/index.js';
import { numbers } from '../session/run-model.js';
import type { Case } from './subjects.js';

/** A model of open shapes, with plain loops that say what it computes. */
interface Dynamic {
  readonly name: string;
  readonly model: () => Uint8Array;
  readonly largest: Case;
  readonly draw: (random: () => number) => Case;
}

const MOST_ROWS = 96;
const MOST_STEPS = 40;
const [INNER, OUTER] = [48, 64];

const sizeUpTo = (most: number, random: () => number) => 1 + Math.floor(random() * most);
const seedFrom = (random: () => number) => Math.floor(random() * 2 ** 31);
const tabulate = (length: number, at: (i: number) => number) => Float32Array.from({ length }, (_, i) => at(i));

const W = numbers([INNER, OUTER], 11);
const B = numbers([OUTER], 12);

/** y = max(x · w + b, 0) for any number of rows. */
const dense: Dynamic = {
  name: 'dense of any batch',
  model() {
    const b = modelBuilder({ opset: 20 });
    const product = b.op('MatMul', [b.input('x', 'float32', ['batch', INNER]), b.constant('w', W)]);
    b.output('y', b.op('Relu', [b.op('Add', [product, b.constant('b', B)])]));
    return b.toBytes();
  },
  largest: denseCase(MOST_ROWS, 1),
  draw: (random) => denseCase(sizeUpTo(MOST_ROWS, random), seedFrom(random)),
};

function denseCase(rows: number, seed: number): Case {
  const x = numbers([rows, INNER], seed);
  const at = (row: number, column: number) => {
    let sum = Number(B.data[column]);
    for (let k = 0; k < INNER; k++) sum += Number(x.data[row * INNER + k]) * Number(W.data[k * OUTER + column]);
    return Math.max(sum, 0);
  };
  const y = tabulate(rows * OUTER, (i) => at(Math.floor(i / OUTER), i % OUTER));
  return { feeds: { x }, expected: { y: tensor('float32', [rows, OUTER], y) } };
}

/** y = the sums over the steps of the softmax of each, for any batch and number of steps. */
const attention: Dynamic = {
  name: 'softmax of any length',
  model() {
    const b = modelBuilder({ opset: 20 });
    const x = b.input('x', 'float32', ['batch', 'steps', INNER]);
    const axes = b.constant('axes', tensor('int64', [1], [1n]));
    b.output('y', b.op('ReduceSum', [b.op('Softmax', [x], { axis: -1 }), axes], { keepdims: 0 }));
    return b.toBytes();
  },
  largest: softmaxCase(8, MOST_STEPS, 1),
  draw: (random) => softmaxCase(sizeUpTo(8, random), sizeUpTo(MOST_STEPS, random), seedFrom(random)),
};

function softmaxCase(batch: number, steps: number, seed: number): Case {
  const x = numbers([batch, steps, INNER], seed);
  const y = new Float64Array(batch * INNER);
  for (let row = 0; row < batch * steps; row++) {
    const exps = Float64Array.from({ length: INNER }, (_, k) => Math.exp(Number(x.data[row * INNER + k])));
    const sum = exps.reduce((a, b) => a + b);
    const to = Math.floor(row / steps) * INNER;
    for (let k = 0; k < INNER; k++) y[to + k] = (y[to + k] as number) + (exps[k] as number) / sum;
  }
  return { feeds: { x }, expected: { y: tensor('float32', [batch, INNER], Float32Array.from(y)) } };
}

/** y = 2 · x and where x is above 0, whose number only the data say: a plan in stages. */
const positives: Dynamic = {
  name: 'positives in stages',
  model() {
    const b = modelBuilder({ opset: 20 });
    const x = b.input('x', 'float32', ['n']);
    const zero = b.constant('zero', tensor('float32', [], [0]));
    const found = b.op('Squeeze', [
      b.op('NonZero', [b.op('Greater', [x, zero])]),
      b.constant('axes', tensor('int64', [1], [0n])),
    ]);
    const chosen = b.op('Gather', [x, found]);
    b.output('where', found);
    b.output('y', b.op('Add', [chosen, chosen]));
    return b.toBytes();
  },
  largest: positivesCase(4 * MOST_ROWS, 1),
  draw: (random) => positivesCase(sizeUpTo(4 * MOST_ROWS, random), seedFrom(random)),
};

function positivesCase(n: number, seed: number): Case {
  const x = numbers([n], seed);
  const values = Array.from(x.data, Number);
  const where = values.flatMap((value, i) => (value > 0 ? [i] : []));
  const y = where.map((i) => 2 * (values[i] as number));
  return {
    feeds: { x },
    expected: {
      where: tensor('int64', [where.length], where.map(BigInt)),
      y: tensor('float32', [where.length], y),
    },
  };
}

export const DYNAMIC: readonly Dynamic[] = [dense, attention, positives];
