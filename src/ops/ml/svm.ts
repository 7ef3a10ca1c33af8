import { account } from '../../account.js';
import { tensorType } from '../../graph/types.js';
import { entryOf, floats, int, ints, oneOf, string, strings } from '../../schema/attributes.js';
import { matrix, NUMERIC, rowsOf } from '../../schema/batch.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { labelsOf } from './classify.js';
import { pairwiseProbabilities } from './pairwise-probabilities.js';
import { logistic, TRANSFORMS, type Transform, transformOf, transformRow } from './post-transform.js';

type Row = ArrayLike<number>;

interface KernelAttributes {
  readonly kernel_type: string;
  readonly kernel_params: readonly number[] | undefined;
}

const dot = (a: Row, b: Row): number => {
  let sum = 0;
  account()?.spend(a.length);
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};

const squaredDistance = (a: Row, b: Row): number => {
  let sum = 0;
  account()?.spend(a.length);
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] as number)) ** 2;
  return sum;
};

type Kernel = (a: Row, b: Row) => number;

const KERNELS: Record<string, (gamma: number, coef0: number, degree: number) => Kernel> = {
  LINEAR: () => dot,
  POLY: (gamma, coef0, degree) => (a, b) => (gamma * dot(a, b) + coef0) ** degree,
  RBF: (gamma) => (a, b) => Math.exp(-gamma * squaredDistance(a, b)),
  SIGMOID: (gamma, coef0) => (a, b) => Math.tanh(gamma * dot(a, b) + coef0),
};

function kernelOf(c: Inference<KernelAttributes>): Kernel {
  const { kernel_type, kernel_params: [gamma = 0, coef0 = 0, degree = 0] = [] } = c.attributes;
  const make = entryOf(KERNELS, kernel_type) ?? c.fail('INVALID_ATTRIBUTE', `unknown kernel_type "${kernel_type}"`);
  return make(gamma, coef0, degree);
}

/** Splits numbers into `count` rows of equal length. */
function rowsIn(numbers: Row, count: number): number[][] {
  const all = Array.from(numbers);
  const length = all.length / Math.max(count, 1);
  return Array.from({ length: count }, (_, i) => all.slice(i * length, (i + 1) * length));
}

function checkFeatures(c: Inference<unknown>, x: readonly Row[], features: number): void {
  if (x[0] && x[0].length !== features)
    c.fail('INVALID_SHAPE', `input 0 has ${x[0].length} features; the support vectors have ${features}`);
}

const attributes = {
  coefficients: floats.required,
  kernel_params: floats(),
  kernel_type: string('LINEAR'),
  post_transform: oneOf(...TRANSFORMS),
  rho: floats.required,
  support_vectors: floats(),
};

/** https://onnx.ai/onnx/operators/onnx_aionnxml_SVMRegressor.html. As in onnxruntime, the single score is not transformed. */
export const svmRegressor = defineOp({
  domain: 'ai.onnx.ml',
  name: 'SVMRegressor',
  signature: 'X: T -> Y: float32',
  types: { T: NUMERIC },
  attributes: { ...attributes, n_supports: int(0), one_class: int(0) },
  infer: (c) => [matrix('float32', rowsOf(c), 1)],
  evaluate(c) {
    const { coefficients, rho, support_vectors = [], n_supports, one_class } = c.attributes;
    if (
      n_supports < 0 ||
      (n_supports > 0 && (coefficients.length !== n_supports || support_vectors.length % n_supports))
    )
      c.fail('INVALID_ATTRIBUTE', `support_vectors and coefficients must be divisible by n_supports ${n_supports}`);
    const x = rowsIn(numbersOf(c.tensor(0)), rowsOf(c) as number);
    const vectors = n_supports > 0 ? rowsIn(support_vectors, n_supports) : [coefficients];
    checkFeatures(c, x, vectors[0]?.length ?? 0);
    const kernel = n_supports > 0 ? kernelOf(c) : dot;
    const weights = n_supports > 0 ? coefficients : [1];
    const scores = x.map((row) => {
      const score = dot(
        vectors.map((vector) => kernel(row, vector)),
        weights,
      );
      return score + (rho[0] as number);
    });
    return [tensorOf('float32', [x.length, 1], one_class ? scores.map((s) => (s > 0 ? 1 : -1)) : scores)];
  },
});

interface ClassifierAttributes extends KernelAttributes {
  readonly coefficients: readonly number[];
  readonly rho: readonly number[];
  readonly support_vectors: readonly number[] | undefined;
  readonly vectors_per_class: readonly number[] | undefined;
}

/** Decision values of a row for each pair of classes (i before j), positive for i. The coefficients have libsvm's layout. */
function pairDecisions(c: Inference<ClassifierAttributes>, classes: number): (row: Row) => number[] {
  const { coefficients, rho, support_vectors = [], vectors_per_class: counts = [] } = c.attributes;
  const total = counts.reduce((a, b) => a + b, 0);
  if (counts.some((n) => n < 0) || total > support_vectors.length)
    c.fail('INVALID_ATTRIBUTE', `vectors_per_class [${counts}] are more vectors than support_vectors has`);
  const starts = counts.map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0));
  const vectors = rowsIn(support_vectors, total);
  const kernel = kernelOf(c);
  const pairs = (classes * (classes - 1)) / 2;
  if (counts.length !== classes || coefficients.length < (classes - 1) * total || rho.length < pairs)
    c.fail('INVALID_ATTRIBUTE', 'coefficients, rho and vectors_per_class do not match');
  const partOf = (k: readonly number[], of: number, row: number): number => {
    const [start, count] = [starts[of] as number, counts[of] as number];
    return dot(k.slice(start, start + count), coefficients.slice(row * total + start, row * total + start + count));
  };
  return (row) => {
    const k = vectors.map((vector) => kernel(row, vector));
    const decisions: number[] = [];
    for (let i = 0; i < classes; i++)
      for (let j = i + 1; j < classes; j++)
        decisions.push(partOf(k, i, j - 1) + partOf(k, j, i) + (rho[decisions.length] as number));
    return decisions;
  };
}

/** The class that wins most pairs; among equals the first. */
function winnerOf(decisions: readonly number[], classes: number): number {
  const votes = new Array<number>(classes).fill(0);
  let pair = 0;
  for (let i = 0; i < classes; i++)
    for (let j = i + 1; j < classes; j++) {
      const winner = (decisions[pair++] as number) > 0 ? i : j;
      votes[winner] = (votes[winner] as number) + 1;
    }
  return votes.indexOf(Math.max(...votes));
}

/** Scores of two classes for one decision value, as in onnxruntime. */
function binaryScores(decision: number, transform: Transform): number[] {
  if (transform === 'NONE') return [-decision, decision];
  if (transform === 'LOGISTIC') return [logistic(-decision), logistic(decision)];
  return transform === 'PROBIT' ? transformRow([1 - decision, decision], transform) : [1 - decision, decision];
}

/**
 * https://onnx.ai/onnx/operators/onnx_aionnxml_SVMClassifier.html. Scores are class probabilities if prob_a and prob_b are given, otherwise
 * the decision values of pairs; without support vectors, products with each class's coefficients.
 */
export const svmClassifier = defineOp({
  domain: 'ai.onnx.ml',
  name: 'SVMClassifier',
  signature: 'X: T1 -> Y: T2, Z: float32',
  types: { T1: NUMERIC, T2: ['string', 'int64'] },
  attributes: {
    ...attributes,
    classlabels_ints: ints(),
    classlabels_strings: strings(),
    prob_a: floats(),
    prob_b: floats(),
    vectors_per_class: ints(),
  },
  infer(c) {
    const { classlabels_ints, classlabels_strings, vectors_per_class = [], prob_a = [] } = c.attributes;
    const labels = labelsOf(c, classlabels_ints, classlabels_strings);
    const classes = labels.dims[0] as number;
    const rows = rowsOf(c);
    const byPairs = vectors_per_class.length > 0 && prob_a.length === 0 && classes > 2;
    const columns = byPairs ? (classes * (classes - 1)) / 2 : classes;
    return [tensorType(labels.type, rows === undefined ? undefined : [rows]), matrix('float32', rows, columns)];
  },
  evaluate(c) {
    const a = c.attributes;
    const labels = labelsOf(c, a.classlabels_ints, a.classlabels_strings);
    const classes = labels.dims[0] as number;
    const x = rowsIn(numbersOf(c.tensor(0)), rowsOf(c) as number);
    const transform = transformOf(c, a.post_transform);
    const score = a.vectors_per_class?.length ? byVectors() : byClass();
    const results = x.map(score);
    const winners = results.map(({ winner }) => labels.data[winner] as string | bigint);
    const data = labels.type === 'string' ? (winners as string[]) : BigInt64Array.from(winners as bigint[]);
    const columns = results[0]?.scores.length ?? classes;
    const scores = tensorOf(
      'float32',
      [x.length, columns],
      results.flatMap((result) => result.scores),
    );
    return [{ type: labels.type, dims: [x.length], data } as TensorValue, scores];

    function byVectors() {
      const supports = a.vectors_per_class?.reduce((sum, n) => sum + n, 0) as number;
      checkFeatures(c, x, (a.support_vectors?.length ?? 0) / supports);
      const decide = pairDecisions(c, classes);
      const { prob_a = [], prob_b = [] } = a;
      return (row: Row) => {
        const decisions = decide(row);
        const winner = winnerOf(decisions, classes);
        if (prob_a.length > 0) {
          const pairs = decisions.map((d, i) => logistic(-(d * (prob_a[i] as number) + (prob_b[i] as number))));
          return { winner, scores: transformRow(pairwiseProbabilities(pairs, classes), transform) };
        }
        const scores =
          classes === 2 ? binaryScores(decisions[0] as number, transform) : transformRow(decisions, transform);
        return { winner, scores };
      };
    }

    function byClass() {
      const rows = rowsIn(a.coefficients, classes);
      checkFeatures(c, x, rows[0]?.length ?? 0);
      return (row: Row) => {
        const scores = rows.map((coefficients) => dot(row, coefficients) + (a.rho[0] as number));
        return { winner: scores.indexOf(Math.max(...scores)), scores: transformRow(scores, transform) };
      };
    }
  },
});
