import { intAttribute } from '../graph/attributes.js';
import type { Attribute, Value } from '../graph/graph.js';
import type { Decomposition } from '../schema/definition.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';

const HALVES: readonly ElementType[] = ['float16', 'bfloat16'];
const NARROW: readonly ElementType[] = ['float32', ...HALVES];

const cast = (c: Decomposition<unknown>, value: Value, to: ElementType): Value =>
  c.emit('Cast', [value], { to: intAttribute(ELEMENTS[to].onnx) })[0] as Value;

/**
 * Rewrites a node on half-precision floats to the newest version of its operator on float32, between casts; undefined if no input has half
 * precision. `results` are the element types of the outputs.
 */
export const throughFloat32 = (
  c: Decomposition<unknown>,
  results: readonly ElementType[] = [c.element(0)],
  attributes: Record<string, Attribute> = c.node.attributes,
): Value[] | undefined => through(c, HALVES, 'float32', results, attributes);

/** Like `throughFloat32`, on float64, for a node with some narrower floats. */
export const throughFloat64 = (c: Decomposition<unknown>, results: readonly ElementType[]): Value[] | undefined =>
  through(c, NARROW, 'float64', results, c.node.attributes);

function through(
  c: Decomposition<unknown>,
  from: readonly ElementType[],
  to: ElementType,
  results: readonly ElementType[],
  attributes: Record<string, Attribute>,
): Value[] | undefined {
  const { node } = c;
  const positions = node.inputs.map((_, i) => i);
  const isCast = (i: number) => c.given(i) && c.type(i).kind === 'tensor' && from.includes(c.element(i));
  if (!positions.some(isCast)) return undefined;
  const inputs = positions.map((i) => (c.given(i) ? (isCast(i) ? cast(c, c.input(i), to) : c.input(i)) : null));
  const operator = node.domain ? `${node.domain}:${node.op}` : node.op;
  const computed = c.emit(operator, inputs, attributes, node.outputs.length);
  return computed.map((value, i) => {
    const result = results[i];
    return result && from.includes(result) && result !== to && c.wanted(i) ? cast(c, value, result) : value;
  });
}
