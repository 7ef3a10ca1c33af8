import { type Draft, isTensor, type Known, type KnownTensor, Unfit } from '../draft.js';
import type { Maker, Makers } from './maker.js';

/** Operators that take operands of any rank. */
const ANY_RANK: ReadonlySet<string> = new Set([
  ...['Gather', 'Where', 'Add', 'Sub', 'Mul', 'Div', 'Max', 'Min', 'Pow', 'Mod'],
  ...['Equal', 'Less', 'Greater', 'LessOrEqual', 'GreaterOrEqual'],
]);

/** A constant of the same contents, for some operators now and then with an axis of size 1 more or less. */
function copyOf(g: Draft, op: string, constant: KnownTensor): KnownTensor {
  const [value] = constant.values;
  if (!value) throw new Unfit();
  const { chance } = g.choices;
  const less = value.dims[0] === 1 && chance(0.5) ? value.dims.slice(1) : value.dims;
  const dims = chance(0.6) || !ANY_RANK.has(op) ? value.dims : less === value.dims ? [1, ...value.dims] : less;
  return g.constant(value.type, dims, value.data, false);
}

const copied = (g: Draft, op: string, operand: Known) => {
  const isConstant = g.constants.some(({ name }) => name === operand.name);
  return isConstant && isTensor(operand) && g.choices.chance(0.7) ? copyOf(g, op, operand) : operand;
};

/** A node once more, as exporters repeat what several layers ask for: the same, or nearly. */
const again: Maker = (g) => {
  const plain = g.nodes.filter(({ domain, bodies }) => domain === '' && !bodies);
  if (plain.length === 0) throw new Unfit();
  const { op, inputs, outputs, attributes } = g.choices.pick(plain.slice(-6));
  const operands = inputs.map((name) => (name === null ? null : copied(g, op, g.named(name))));
  g.node(op, operands, attributes, { outputs: outputs.length });
};

export const TWINS: Makers = [[1, again]];
