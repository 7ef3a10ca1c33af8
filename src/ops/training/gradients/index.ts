import type { Node } from '../../../graph/graph.js';
import type { BackwardRule, BackwardRules } from './backward.js';
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
  ...elementwise,
  ...losses,
  ...movement,
  ...normalizations,
  ...products,
  ...reductions,
  ...windows,
};

export const backwardRuleOf = ({ domain, op }: Node): BackwardRule | undefined =>
  RULES[domain ? `${domain}:${op}` : op];
