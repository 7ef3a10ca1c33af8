import type { Attribute, Value } from '../graph/graph.js';
import type { ElementType } from '../tensor/element-types.js';
import type { Decomposition } from './definition.js';

const HALVES: readonly ElementType[] = ['float16', 'bfloat16'];
const FLOAT32 = 1;
const CODES: Partial<Record<ElementType, number>> = { float16: 10, bfloat16: 16 };

const to = (code: number): Record<string, Attribute> => ({ to: { type: 'int', value: code } });

/**
 * Says a node on half-precision floats by the newest version of its operator on float32, between casts; undefined where
 * no input is of half precision. `results` are the element types of the outputs.
 */
export function throughFloat32(
  c: Decomposition<unknown>,
  results: readonly ElementType[] = [c.element(0)],
): Value[] | undefined {
  const { node } = c;
  const positions = node.inputs.map((_, i) => i);
  const isHalf = (i: number) => c.given(i) && c.type(i).kind === 'tensor' && HALVES.includes(c.element(i));
  if (!positions.some(isHalf)) return undefined;
  const inputs = positions.map((i) => {
    if (!c.given(i)) return null;
    return isHalf(i) ? (c.emit('Cast', [c.input(i)], to(FLOAT32))[0] as Value) : c.input(i);
  });
  const operator = node.domain ? `${node.domain}:${node.op}` : node.op;
  const computed = c.emit(operator, inputs, node.attributes, node.outputs.length);
  return computed.map((value, i) => {
    const code = CODES[results[i] ?? 'float32'];
    return code && c.wanted(i) ? (c.emit('Cast', [value], to(code))[0] as Value) : value;
  });
}
