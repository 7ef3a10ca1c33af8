import { NodeFlag, type Outline, ValueFlag } from '../../graph/outline.js';
import { countsSizes, measures, sizeOperands } from './operators.js';

/**
 * Flags nodes that only compute sizes, and their outputs: every reader uses them as sizes or is such a node itself.
 * Counts the remaining data reads, from consumers to producers; in a cycle the count never reaches 0.
 */
export function markShapeOnly({ strings, nodes, values }: Outline): void {
  const dataReads = new Int32Array(values.count);
  const reads = new Int32Array(values.count);
  for (let v = 0; v < values.count; v++) if (at(values.flags, v) & ValueFlag.output) dataReads[v] = 1;
  for (const v of nodes.captured.values) if (v >= 0) dataReads[v] = at(dataReads, v) + 1;
  for (let node = 0; node < nodes.count; node++) {
    const sizes = sizeOperands(strings[at(nodes.operator, node)] ?? '');
    forOperands(node, (value, place) => {
      reads[value] = at(reads, value) + 1;
      if (!sizes.includes(place)) dataReads[value] = at(dataReads, value) + 1;
    });
  }
  const isDone = new Uint8Array(nodes.count);
  const waiting = Array.from({ length: nodes.count }, (_, i) => i);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isDone[node] || !isShapeOnly(node)) continue;
    isDone[node] = 1;
    nodes.flags[node] = at(nodes.flags, node) | NodeFlag.shapeOnly;
    const operator = strings[at(nodes.operator, node)] ?? '';
    const sizes = sizeOperands(operator);
    forResults(node, (value) => {
      values.flags[value] = at(values.flags, value) | ValueFlag.shapeOnly;
    });
    forOperands(node, (value, place) => {
      if (sizes.includes(place) || measures(operator)) return;
      dataReads[value] = at(dataReads, value) - 1;
      const producer = at(values.producer, value);
      if (dataReads[value] === 0 && producer >= 0) waiting.push(producer);
    });
  }

  function isShapeOnly(node: number): boolean {
    if (!countsSizes(strings[at(nodes.operator, node)] ?? '')) return false;
    let data = 0;
    let all = 0;
    forResults(node, (value) => {
      data += at(dataReads, value);
      all += at(reads, value);
    });
    return all > 0 && data === 0;
  }

  function forOperands(node: number, visit: (value: number, place: number) => void): void {
    const { start, values: operands } = nodes.inputs;
    for (let i = at(start, node); i < at(start, node + 1); i++)
      if (at(operands, i) >= 0) visit(at(operands, i), i - at(start, node));
  }

  function forResults(node: number, visit: (value: number) => void): void {
    const { start, values: results } = nodes.outputs;
    for (let i = at(start, node); i < at(start, node + 1); i++)
      if (at(results, i) >= 0 && at(values.producer, at(results, i)) === node) visit(at(results, i));
  }
}

const at = (column: ArrayLike<number>, i: number): number => column[i] as number;
