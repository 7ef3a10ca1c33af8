import { float } from '../../../../src/builder/index.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isFixed, type Maker, type Makers, someSize } from './maker.js';
import { constantFor, partnerOf } from './partner.js';

const last = (x: KnownTensor) => {
  const k = x.dims.at(-1);
  if (!isFixed(k)) throw new Unfit();
  return k;
};

/** Axes of matrices that broadcast with the batch of `x`, either way round. */
const batchFor = (g: Draft, x: KnownTensor) => {
  const { pick, chance } = g.choices;
  const own = x.dims.slice(0, -2).map((d) => (d === 1 ? pick([1, 2, 3]) : isFixed(d) && chance(0.5) ? d : 1));
  return own.length < 4 && chance(0.3) ? [pick([2, 3]), ...own] : own;
};

/** Constants on the right: a matrix, a vector, or as many matrices as there are. */
const rightOf = (g: Draft, x: KnownTensor) => {
  const { pick } = g.choices;
  const n = pick([someSize(g), 1, 5, 8, 9, 17]);
  return g.floats(
    pick([
      [last(x), n],
      [last(x), n],
      [last(x), n],
      [last(x)],
      [...batchFor(g, x), last(x), n],
      [...batchFor(g, x), last(x), n],
    ]),
    x.type,
  );
};

/** Constants on the left: `W·x`. */
const leftOf = (g: Draft, x: KnownTensor) => {
  const k = x.dims.length === 1 ? x.dims[0] : x.dims.at(-2);
  if (!isFixed(k)) throw new Unfit();
  const m = g.choices.pick([someSize(g), 1, 4, 7]);
  return g.floats(g.choices.pick([[m, k], [m, k], [k], [...batchFor(g, x), m, k]]), x.type);
};

/** What often follows a product: a bias, a factor, an activation, a residual. */
const after = (g: Draft, made: KnownTensor): void => {
  const { below, chance, pick } = g.choices;
  let y = made;
  for (let n = below(5); n > 0; n--) {
    const step = pick([
      'Add',
      'Add',
      'Mul',
      'Div',
      'Sub',
      'Relu',
      'Clip',
      'Sigmoid',
      'Transpose',
      'residual',
      'residual',
    ]);
    if (step === 'Relu' || step === 'Sigmoid') y = g.op(step, [y]);
    else if (step === 'Clip') y = g.op('Clip', [y, g.number(0, y.type), g.number(6, y.type)]);
    else if (step === 'Transpose') y = g.op('Transpose', [y]);
    else {
      const other = step === 'residual' ? partnerOf(g, y) : constantFor(g, y);
      y = g.op(step === 'residual' ? 'Add' : step, chance(0.5) ? [y, other] : [other, y]);
    }
  }
};

const matmul: Maker = (g, x) => {
  const isLeft = g.choices.chance(0.65);
  after(g, g.op('MatMul', isLeft ? [x, rightOf(g, x)] : [leftOf(g, x), x]));
};

/** Two values of the model, one of them transposed to fit. */
const product: Maker = (g, x) => {
  const others = g.tensors.filter(({ type, dims }) => type === x.type && dims.length >= 1);
  const other = g.choices.pick(others.length > 0 ? others : [x]);
  const perm = other.dims.map((_, i) => i);
  if (perm.length > 1 && g.choices.chance(0.5)) perm.push(...(perm.splice(-2).reverse() as [number, number]));
  after(g, g.op('MatMul', [x, g.op('Transpose', [other], { perm })]));
};

const gemm: Maker = (g, x) => {
  const { chance, pick } = g.choices;
  if (x.dims.length !== 2) throw new Unfit();
  const [transA, transB] = [Number(chance(0.3)), Number(chance(0.4))];
  const k = x.dims[transA ? 0 : 1];
  const m = x.dims[transA ? 1 : 0];
  if (!isFixed(k)) throw new Unfit();
  const n = pick([someSize(g), 1, 6, 10]);
  const rows = isFixed(m) ? m : 1;
  const c = chance(0.7) ? g.floats(pick([[n], [1, n], [rows, 1], [rows, n], [], [1]]), x.type) : null;
  const scale = (name: string) => (chance(0.3) ? { [name]: float(pick([0.5, 2, -1, 0])) } : {});
  const weights = g.floats(transB ? [n, k] : [k, n], x.type);
  after(g, g.op('Gemm', [x, weights, c], { transA, transB, ...scale('alpha'), ...scale('beta') }));
};

const EQUATIONS = [
  'ij,jk->ik',
  'ij,kj->ik',
  'bij,bjk->bik',
  'bij,jk->bik',
  'i,i->',
  'ij->ji',
  'ij->i',
  'i,j->ij',
  'bhij,bhkj->bhik',
  '...i,ij->...j',
  'ii->i',
  'ij,ij->ij',
  'bij,bij->bi',
];

const einsum: Maker = (g, x) => {
  const equation = g.choices.pick(EQUATIONS);
  const [left = '', right] = (equation.split('->')[0] as string).split(',');
  if (!left.startsWith('...') && left.length !== x.dims.length) throw new Unfit();
  const isRepeated = new Set(left).size < left.length;
  if (isRepeated && x.values.some(({ dims }) => dims[0] !== dims[1])) throw new Unfit();
  if (right === undefined) return void g.op('Einsum', [x], { equation });
  const letters = left.replace('...', '');
  const sizeOf = new Map([...letters].map((letter, i) => [letter, x.dims[x.dims.length - letters.length + i]]));
  const dims = [...right].map((letter) => sizeOf.get(letter) ?? someSize(g));
  if (!dims.every(isFixed)) throw new Unfit();
  g.op('Einsum', [x, g.floats(dims, x.type)], { equation });
};

export const LINEAR: Makers = [
  [9, matmul],
  [4, product],
  [5, gemm],
  [2, einsum],
];
