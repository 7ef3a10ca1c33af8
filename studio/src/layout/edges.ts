import { type Outline, ValueFlag } from '../graph/outline.js';
import { at, bit } from './columns.js';

/** Visits the producers of a node's operands. Size operands are skipped: they are folded and should not split what belongs together. */
export function forProducers({ nodes, values }: Outline, node: number, visit: (producer: number) => void): void {
  for (let i = at(nodes.inputs.start, node); i < at(nodes.inputs.start, node + 1); i++) {
    const value = at(nodes.inputs.values, i);
    if (value < 0 || at(values.producer, value) < 0 || bit(values.flags, value) & ValueFlag.shapeOnly) continue;
    visit(at(values.producer, value));
  }
}
