import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Decomposition, Inference } from '../../schema/definition.js';
import { integers, type TensorValue } from '../../tensor/tensor-value.js';
import { float32Scalar } from '../constants.js';
import type { Transform } from './post-transform.js';

/** Applies the transform to scores [rows, columns]. As in onnxruntime, a single column is only transformed by PROBIT. */
export function transformScores(c: Decomposition<unknown>, scores: Value, columns: number, name: Transform): Value {
  if (name === 'NONE' || (columns === 1 && name !== 'PROBIT')) return scores;
  if (name === 'LOGISTIC') return c.emit('Sigmoid', [scores])[0] as Value;
  if (name === 'SOFTMAX') return c.emit('Softmax', [scores], { axis: intAttribute(1) })[0] as Value;
  return c.emit('sardonyx:ScoreTransform', [scores], { transform: { type: 'string', value: name } })[0] as Value;
}

/** Turns one score s per row into the scores of two classes: [1 − s, s] or [−s, s]. */
export type SecondScore = 'complement' | 'negation';

export interface Classification {
  readonly labels: TensorValue;
  readonly transform: Transform;
  /** For one score per row and two labels: the second class wins above the threshold. */
  readonly second?: SecondScore;
  readonly threshold?: number;
}

/** The labels of a classifier: strings or integers. */
export function labelsOf(
  c: Inference<unknown>,
  ints: readonly number[] | undefined,
  strings: readonly string[] | undefined,
): TensorValue {
  if (strings?.length) return { type: 'string', dims: [strings.length], data: strings };
  if (ints?.length)
    return { type: 'int64', dims: [ints.length], data: BigInt64Array.from(ints, (label) => BigInt(label)) };
  return c.fail('INVALID_ATTRIBUTE', 'has no class labels; it needs integers or strings');
}

/** The winning classes [rows] by scores [rows, columns], and the transformed scores. */
export function classify(c: Decomposition<unknown>, scores: Value, columns: number, by: Classification): Value[] {
  const classes = by.labels.dims[0] as number;
  if (columns === 1 && classes === 2) return classifyByOne(c, scores, by);
  if (columns < classes) c.fail('INVALID_ATTRIBUTE', `there are ${classes} class labels, but ${columns} scores`);
  const [winner] = c.emit('ArgMax', [scores], { axis: intAttribute(1), keepdims: intAttribute(0) }) as [Value];
  return [named(c, winner, by.labels), transformScores(c, scores, columns, by.transform)];
}

/** Maps class indices to labels. */
function named(c: Decomposition<unknown>, winner: Value, labels: TensorValue): Value {
  const isIndex = labels.type === 'int64' && integers(labels).every((label, i) => label === i);
  return isIndex ? winner : (c.emit('Gather', [c.constant(labels), winner])[0] as Value);
}

/** Classifies into two classes if only the second has votes: it wins above the threshold. Both classes have scores of their own. */
export function classifyBySecond(c: Decomposition<unknown>, scores: Value, by: Classification): Value[] {
  const second = c.constant({ type: 'int64', dims: [], data: BigInt64Array.of(1n) });
  const [votes] = c.emit('Gather', [scores, second], { axis: intAttribute(1) }) as [Value];
  return [named(c, aboveThreshold(c, votes, by), by.labels), transformScores(c, scores, 2, by.transform)];
}

/** 1 for a score [rows] above the threshold, else 0. */
function aboveThreshold(c: Decomposition<unknown>, score: Value, { threshold = 0 }: Classification): Value {
  const [wins] = c.emit('Greater', [score, c.constant(float32Scalar(threshold))]) as [Value];
  return c.emit('Cast', [wins], { to: intAttribute(7) })[0] as Value;
}

function classifyByOne(c: Decomposition<unknown>, score: Value, by: Classification): Value[] {
  const { labels, transform, second } = by;
  const [flat] = c.emit('Reshape', [score, c.constant({ type: 'int64', dims: [1], data: BigInt64Array.of(-1n) })]) as [
    Value,
  ];
  const complement = second === 'complement' && transform !== 'LOGISTIC';
  const [other] = complement ? c.emit('Sub', [c.constant(float32Scalar(1)), score]) : c.emit('Neg', [score]);
  const [both] = c.emit('Concat', [other as Value, score], { axis: intAttribute(1) }) as [Value];
  const bounded = transform === 'LOGISTIC' || transform === 'PROBIT' ? transform : 'NONE';
  return [named(c, aboveThreshold(c, flat, by), labels), transformScores(c, both, 2, bounded)];
}
