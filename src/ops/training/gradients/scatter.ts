import { intAttribute } from '../../../graph/attributes.js';
import type { Attribute, Value } from '../../../graph/graph.js';
import { entryOf } from '../../../schema/attributes.js';
import { emitOne } from '../../emit.js';
import {
  arithmetic,
  type Backward,
  type BackwardRule,
  type BackwardRules,
  productOfOthers,
  upstreamOf,
  zerosLike,
} from './backward.js';
import { movedFrom } from './movement.js';

/** A scatter, and the gather that reads the same positions. */
interface Places {
  readonly c: Backward;
  readonly data: Value;
  readonly updates: Value;
  readonly y: Value;
  readonly g: Value;
  readonly f: ReturnType<typeof arithmetic>;
  gather(value: Value): Value;
  scatter(data: Value, updates: Value, reduction: string): Value;
}

type Derivatives = (places: Places) => [byData: Value, byUpdates: Value];

/** The largest or smallest values at a position share g equally. */
const extreme: Derivatives = ({ data, updates, y, g, f, gather, scatter }) => {
  const one = (value: Value, extreme: Value) => f('Where', f('Equal', value, extreme), 1, 0);
  const [own, others] = [one(data, y), one(updates, gather(y))];
  const share = f('Div', g, scatter(own, others, 'add'));
  return [f('Mul', own, share), f('Mul', others, gather(share))];
};

const DERIVATIVES: Readonly<Record<string, Derivatives>> = {
  none: ({ c, updates, g, gather, scatter }) => [scatter(g, zerosLike(c, updates), 'none'), gather(g)],
  add: ({ g, gather }) => [g, gather(g)],
  mul({ c, data, updates, g, f, gather, scatter }) {
    const zero = (value: Value) => f('Where', f('Equal', value, 0), 1, 0);
    const rest = (value: Value) => f('Where', f('Equal', value, 0), 1, value);
    const product = scatter(rest(data), rest(updates), 'mul');
    const zeros = scatter(zero(data), zero(updates), 'add');
    const by = (value: Value, product: Value, zeros: Value, g: Value) =>
      f('Mul', g, productOfOthers(c, value, product, zeros));
    return [by(data, product, zeros, g), by(updates, gather(product), gather(zeros), gather(g))];
  },
  max: extreme,
  min: extreme,
};

const scattering =
  (name: string, gathering: string): BackwardRule =>
  (c) => {
    const { axis, reduction = 'none' } = c.attributes as { axis?: number; reduction?: string };
    const along: Record<string, Attribute> = axis === undefined ? {} : { axis: intAttribute(axis) };
    const gather = (value: Value) => emitOne(c, gathering, [value, c.input(1)], along);
    const scatter = (data: Value, updates: Value, reduction: string) =>
      emitOne(c, name, [data, c.input(1), updates], { ...along, reduction: { type: 'string', value: reduction } });
    const places = { c, data: c.input(0), updates: c.input(2), y: c.output(0), g: upstreamOf(c), f: arithmetic(c) };
    const known = entryOf(DERIVATIVES, reduction) ?? c.fail('INVALID_ATTRIBUTE', `unknown reduction "${reduction}"`);
    const [byData, byUpdates] = known({ ...places, gather, scatter });
    return [byData, null, byUpdates];
  };

const elements = scattering('ScatterElements', 'GatherElements');

/** Gradients of operators that write to given positions. Without a reduction, every update receives the gradient of its position. */
export const scatter: BackwardRules = {
  MaxUnpool: (c) => [movedFrom(c, 'float64', 1), null, null],
  Scatter: elements,
  ScatterElements: elements,
  ScatterND: scattering('ScatterND', 'GatherND'),
};
