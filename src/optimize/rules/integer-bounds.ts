import { floatAttribute, floatOf } from '../../graph/attributes.js';
import type { Attributes, Node } from '../../graph/graph.js';
import { FORMULAS } from '../../primitives/formulas.js';
import type { GraphEditor } from '../editor.js';
import { knownFloats, type Quantized, zeroOf } from './quantized-values.js';

export const roundHalfEven = (x: number): number => FORMULAS.Round(x, 0, 0, 0, 0);

/** Bounds of an activation's results, or undefined if they are unknown. */
const BOUNDS: Readonly<Record<string, (node: Node, editor: GraphEditor) => readonly [number, number] | undefined>> = {
  Relu: () => [0, Number.POSITIVE_INFINITY],
  Clip(node, editor) {
    const bound = (i: number, name: string, fallback: number) => {
      const value = node.inputs[i];
      if (!value) return floatOf(node.attributes, name, fallback);
      return knownFloats(editor, value)?.[0];
    };
    const low = bound(1, 'min', Number.NEGATIVE_INFINITY);
    const high = bound(2, 'max', Number.POSITIVE_INFINITY);
    return low === undefined || high === undefined || Number.isNaN(low) || Number.isNaN(high) ? undefined : [low, high];
  },
};

/** The producer of the float that `root` quantizes, before a last activation that only clips. */
export interface Bounded {
  readonly node: Node;
  /** The node and its activation. */
  readonly covers: readonly Node[];
  /** Undefined if the activation's bounds are unknown. */
  readonly bounds: readonly [number, number] | undefined;
}

const UNBOUNDED = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

export function boundedBy(editor: GraphEditor, root: Node): Bounded | undefined {
  const last = root.inputs[0] ? editor.producerOf(root.inputs[0]) : undefined;
  if (!last) return undefined;
  const bounds = last.domain === '' ? BOUNDS[last.op] : undefined;
  if (!bounds) return { node: last, covers: [last], bounds: UNBOUNDED };
  const node = editor.producerOf(last.inputs[0] as never);
  return node && { node, covers: [last, node], bounds: bounds(last, editor) };
}

/** The bounds in quantized steps of `y`. Clipping before rounding equals clipping to them after rounding. */
export function boundsIn(editor: GraphEditor, y: Quantized, [low, high]: readonly [number, number]): Attributes {
  const [step, zero] = [y.scales[0] as number, zeroOf(editor, y)];
  const quantize = (x: number) => floatAttribute(roundHalfEven(Math.fround(x / step)) + zero);
  return { low: quantize(low), high: quantize(high) };
}
