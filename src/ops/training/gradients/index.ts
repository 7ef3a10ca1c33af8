import type { Node } from '../../../graph/graph.js';
import { attentions } from './attention.js';
import type { BackwardRule, BackwardRules, Spelling, Spellings } from './backward.js';
import { controlflow } from './controlflow.js';
import { deform } from './deform.js';
import { elementwise } from './elementwise.js';
import { losses } from './losses.js';
import { matrices } from './matrices.js';
import { movement } from './movement.js';
import { normalizationSpellings, normalizations } from './normalizations.js';
import { products } from './products.js';
import { quantization } from './quantization.js';
import { recurrent } from './recurrent.js';
import { reductions } from './reductions.js';
import { sampling } from './sampling.js';
import { scatter } from './scatter.js';
import { sequences } from './sequences.js';
import { stateSpace } from './state-space.js';
import { traditionalml } from './traditionalml.js';
import { windowSpellings, windows } from './windows.js';

/** Operators whose results do not change with small changes of their inputs. */
const CONSTANT = [
  ...['Bernoulli', 'BitCast', 'Ceil', 'ConstantOfShape', 'EyeLike', 'Floor', 'Hardmax', 'RandomNormalLike'],
  ...['RandomUniformLike', 'Round', 'Sign'],
  ...['Binarizer', 'LabelEncoder', 'OneHotEncoder', 'TreeEnsemble', 'TreeEnsembleClassifier'].map(
    (name) => `ai.onnx.ml:${name}`,
  ),
  'ai.onnx.ml:TreeEnsembleRegressor',
];

const flat: BackwardRule = (c) => c.node.inputs.map(() => null);

/** Gradient rules by `Name` or `domain:Name`. */
const RULES: BackwardRules = {
  ...Object.fromEntries(CONSTANT.map((name) => [name, flat])),
  ...controlflow,
  ...elementwise,
  ...losses,
  ...matrices,
  ...movement,
  ...normalizations,
  ...products,
  ...reductions,
  ...sampling,
  ...scatter,
  ...sequences,
  ...windows,
};

/** Rewrites of operators whose own decomposition ends in kernels. */
const SPELLINGS: Spellings = {
  ...attentions,
  ...deform,
  ...normalizationSpellings,
  ...quantization,
  ...recurrent,
  ...stateSpace,
  ...traditionalml,
  ...windowSpellings,
};

const keyOf = ({ domain, op }: Node): string => (domain ? `${domain}:${op}` : op);

export const backwardRuleOf = (node: Node): BackwardRule | undefined => RULES[keyOf(node)];

/** The rewrite of a node into operators that have rules, if its own decomposition has none. */
export const spellingOf = (node: Node): Spelling | undefined => SPELLINGS[keyOf(node)];
