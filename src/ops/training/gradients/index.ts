import type { Node } from '../../../graph/graph.js';
import type { BackwardRule, BackwardRules, Spelling, Spellings } from './backward.js';
import { controlflow } from './controlflow.js';
import { elementwise } from './elementwise.js';
import { losses } from './losses.js';
import { movement } from './movement.js';
import { normalizations } from './normalizations.js';
import { products } from './products.js';
import { reductions } from './reductions.js';
import { windows } from './windows.js';

/** Results that do not change with small changes of the inputs. */
const CONSTANT = [
  ...['ArgMax', 'ArgMin', 'Ceil', 'ConstantOfShape', 'Equal', 'Floor', 'Greater', 'GreaterOrEqual', 'IsInf', 'IsNaN'],
  ...['Less', 'LessOrEqual', 'NonZero', 'OneHot', 'Round', 'Shape', 'Sign', 'Size'],
];

const flat: BackwardRule = (c) => c.node.inputs.map(() => null);

/** How derivatives pass each operator, by `Name` or `domain:Name`. */
const RULES: BackwardRules = {
  ...Object.fromEntries(CONSTANT.map((name) => [name, flat])),
  ...controlflow,
  ...elementwise,
  ...losses,
  ...movement,
  ...normalizations,
  ...products,
  ...reductions,
  ...windows,
};

const SPELLINGS: Spellings = {};

const keyOf = ({ domain, op }: Node): string => (domain ? `${domain}:${op}` : op);

export const backwardRuleOf = (node: Node): BackwardRule | undefined => RULES[keyOf(node)];

/** How a node is said in operators that have rules, where its own decomposition is not in such. */
export const spellingOf = (node: Node): Spelling | undefined => SPELLINGS[keyOf(node)];
