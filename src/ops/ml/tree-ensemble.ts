import type { Attribute, Attributes, Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import {
  type Base,
  baseOf,
  ensembleAttributes,
  ensembleTargets,
  nodeAttributes,
  nodeTensors,
  regressorAttributes,
  targetsOf,
} from '../../primitives/tree-operators.js';
import { floatsOf } from '../../primitives/trees.js';
import { floats, int, ints, string, strings, tensor } from '../../schema/attributes.js';
import { matrix, NUMERIC, rowsOf } from '../../schema/batch.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { numbersOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { throughFloat32 } from '../through-float32.js';
import { type Classification, classify, classifyBySecond, labelsOf, transformScores } from './classify.js';
import { TRANSFORMS, transformOf } from './post-transform.js';

const derived = new WeakMap<Attributes, Map<string, Attributes>>();

/** Derives attributes from others. Returns the same object each time, since packed trees are cached by it. */
function derive(attributes: Attributes, form: string, make: () => Attributes): Attributes {
  const forms = derived.get(attributes) ?? new Map<string, Attributes>();
  derived.set(attributes, forms);
  const known = forms.get(form) ?? make();
  forms.set(form, known);
  return known;
}

/** Casts integers to the type that the trees compare, float32 or float64; undefined for floats. */
function asFloat(c: Decomposition<unknown>, wide: boolean): Value | undefined {
  const element = c.element(0);
  if (element === 'float32' || element === 'float64') return undefined;
  return c.emit('Cast', [c.input(0)], { to: { type: 'int', value: wide ? 11 : 1 } })[0] as Value;
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleRegressor.html; from version 3 on, numbers may be float64. */
const regressor = <S extends Partial<typeof nodeTensors>>(since: number, tensors: S) =>
  defineOp({
    domain: 'ai.onnx.ml',
    name: 'TreeEnsembleRegressor',
    since,
    signature: 'X: T -> Y: float32',
    types: { T: NUMERIC },
    attributes: {
      ...regressorAttributes,
      post_transform: string('NONE'),
      ...(tensors as object),
    } as typeof regressorAttributes & {
      post_transform: ReturnType<typeof string>;
    },
    infer: (c) => [matrix('float32', rowsOf(c), targetsOf(c.attributes))],
    decompose(c) {
      const transform = transformOf(c, c.attributes.post_transform);
      const input = asFloat(c, 'nodes_values_as_tensor' in c.node.attributes);
      const plain = derive(c.node.attributes, 'plain', () => {
        const { post_transform, ...rest } = c.node.attributes;
        return rest;
      });
      const [scores] = c.emit('sardonyx:TreeEnsembleRegressor', [input ?? c.input(0)], plain) as [Value];
      return [transformScores(c, scores, targetsOf(c.attributes), transform)];
    },
  });

export const treeEnsembleRegressor = [
  regressor(1, {}),
  regressor(3, { ...nodeTensors, target_weights_as_tensor: tensor() }),
];

const classifierAttributes = {
  ...nodeAttributes,
  post_transform: string('NONE'),
  class_treeids: ints(),
  class_nodeids: ints(),
  class_ids: ints(),
  class_weights: floats(),
  classlabels_int64s: ints(),
  classlabels_strings: strings(),
};

/** Attributes of the regressor that scores the classes; `only`: all votes are for one class, and only that is scored. */
function scoringAttributes(attributes: Attributes, targets: number, only: boolean): Attributes {
  const { classlabels_int64s, classlabels_strings, post_transform, ...rest } = attributes;
  const renamed = Object.entries(rest).map(([name, attribute]) => [name.replace(/^class_/, 'target_'), attribute]);
  const made: Record<string, Attribute> = {
    ...Object.fromEntries(renamed),
    n_targets: { type: 'int', value: targets },
  };
  const ids = (rest.class_ids as { value: readonly number[] } | undefined)?.value ?? [];
  if (only) made.target_ids = { type: 'ints', value: ids.map(() => 0) };
  for (const name of ['base_values', 'base_values_as_tensor']) {
    const base = made[name]?.value as readonly number[] | TensorValue | undefined;
    if (!base) continue;
    const list = 'data' in base ? Array.from(numbersOf(base)) : base;
    if (list.length === 0) delete made[name];
    else if (list.length < targets) {
      delete made[name];
      made.base_values = { type: 'floats', value: Array.from({ length: targets }, (_, i) => list[i] ?? 0) };
    }
  }
  return made;
}

/**
 * https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleClassifier.html: a regressor whose targets are the classes. With two classes and
 * votes for only one of them, the second class wins, as in onnxruntime, if their sum is above 0.5 (no vote is negative) or above 0
 * (otherwise). Votes for the first class are the score of the second; the score of the first is its complement or negation. With votes for
 * the second class, the score of the first is 0.
 */
const classifier = <S extends object>(since: number, tensors: S) =>
  defineOp({
    domain: 'ai.onnx.ml',
    name: 'TreeEnsembleClassifier',
    since,
    signature: 'X: T1 -> Y: T2, Z: float32',
    types: { T1: NUMERIC, T2: ['string', 'int64'] },
    attributes: { ...classifierAttributes, ...(tensors as object) } as typeof classifierAttributes & {
      class_weights_as_tensor?: ReturnType<typeof tensor>;
    },
    infer(c) {
      const labels = labelsOf(c, c.attributes.classlabels_int64s, c.attributes.classlabels_strings);
      const rows = rowsOf(c);
      const classes = labels.dims[0] as number;
      return [tensorType(labels.type, rows === undefined ? undefined : [rows]), matrix('float32', rows, classes)];
    },
    decompose(c) {
      if (!c.dims(0)) return undefined;
      const a = c.attributes;
      const labels = labelsOf(c, a.classlabels_int64s, a.classlabels_strings);
      const classes = labels.dims[0] as number;
      const weights = Array.from(floatsOf(a.class_weights, a.class_weights_as_tensor as TensorValue | undefined) ?? []);
      const ids = a.class_ids ?? [];
      const isBinary = classes === 2 && ids.every((id) => id === ids[0]) && baseOf(a as Base).length < 2;
      const only = isBinary && ids[0] !== 1;
      const columns = only ? 1 : classes;
      const attributes = derive(c.node.attributes, 'scores', () => scoringAttributes(c.node.attributes, columns, only));
      const [scores] = c.emit('ai.onnx.ml:TreeEnsembleRegressor', [c.input(0)], attributes) as [Value];
      const positive = weights.every((weight) => weight >= 0);
      const by: Classification = {
        labels,
        transform: transformOf(c, a.post_transform),
        second: positive ? 'complement' : 'negation',
        threshold: positive ? 0.5 : 0,
      };
      return isBinary && !only ? classifyBySecond(c, scores, by) : classify(c, scores, columns, by);
    },
  });

export const treeEnsembleClassifier = [
  classifier(1, {}),
  classifier(3, { ...nodeTensors, class_weights_as_tensor: tensor() }),
];

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsemble.html */
export const treeEnsemble = defineOp({
  domain: 'ai.onnx.ml',
  name: 'TreeEnsemble',
  since: 5,
  signature: 'X: T -> Y: T',
  types: { T: ['float32', 'float64', 'float16'] },
  attributes: { ...ensembleAttributes, post_transform: int(0) },
  infer: (c) => [matrix(c.element(0), rowsOf(c), ensembleTargets(c.attributes))],
  decompose(c) {
    const halves = throughFloat32(c);
    if (halves) return halves;
    const number = c.attributes.post_transform;
    const transform = TRANSFORMS[number] ?? c.fail('INVALID_ATTRIBUTE', `unknown post_transform ${number}`);
    const plain = derive(c.node.attributes, 'plain', () => {
      const { post_transform, ...rest } = c.node.attributes;
      return rest;
    });
    const [scores] = c.emit('sardonyx:TreeEnsemble', [c.input(0)], plain) as [Value];
    return [transformScores(c, scores, ensembleTargets(c.attributes), transform)];
  },
});
