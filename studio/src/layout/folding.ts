import { NodeFlag, type Outline, ValueFlag } from '../graph/outline.js';
import { at, bit } from './columns.js';

/** Whether a node is left out of a folded drawing. */
export const isFolded = (flags: number): boolean =>
  (flags & (NodeFlag.constant | NodeFlag.identity | NodeFlag.shapeOnly)) !== 0;

/** For each value, the one its edge starts from: the source that identities pass on, if they are left out. */
export function sourceValues({ nodes, values }: Outline, folds: boolean): Int32Array {
  const source = Int32Array.from({ length: values.count }, (_, value) => value);
  if (!folds) return source;
  for (let value = 0; value < values.count; value++) {
    let from = value;
    for (let hops = 0; hops < nodes.count; hops++) {
      const before = passedOn(from);
      if (before < 0) break;
      from = at(source, before) === before ? before : at(source, before);
    }
    source[value] = from;
  }
  return source;

  function passedOn(value: number): number {
    const node = at(values.producer, value);
    if (node < 0 || !(bit(nodes.flags, node) & NodeFlag.identity)) return -1;
    const start = at(nodes.inputs.start, node);
    return start < at(nodes.inputs.start, node + 1) ? at(nodes.inputs.values, start) : -1;
  }
}

/** Everything drawn except modules (nodes, then the graph's inputs, then its outputs, by number) and the flows between them. */
export interface Flows {
  readonly ends: number;
  readonly firstInput: number;
  readonly firstOutput: number;
  readonly isDrawn: Uint8Array;
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The value that leaves `from`. */
  readonly value: Int32Array;
}

export function flowsOf(outline: Outline, folds: boolean): Flows {
  const { nodes, values, inputs, outputs } = outline;
  const firstInput = nodes.count;
  const firstOutput = firstInput + inputs.length;
  const ends = firstOutput + outputs.length;
  const isDrawn = new Uint8Array(ends).fill(1);
  if (folds) for (let node = 0; node < nodes.count; node++) if (isFolded(bit(nodes.flags, node))) isDrawn[node] = 0;
  const source = sourceValues(outline, folds);
  const endOf = values.producer.slice();
  inputs.forEach((value, i) => {
    if (at(endOf, value) < 0) endOf[value] = firstInput + i;
  });
  const from: number[] = [];
  const to: number[] = [];
  const value: number[] = [];
  const join = (read: number, reader: number) => {
    const flowing = read < 0 ? -1 : at(source, read);
    const end = flowing < 0 ? -1 : at(endOf, flowing);
    if (end < 0 || !isDrawn[end]) return;
    if (folds && bit(values.flags, flowing) & (ValueFlag.constant | ValueFlag.shapeOnly)) return;
    from.push(end);
    to.push(reader);
    value.push(flowing);
  };
  for (let node = 0; node < nodes.count; node++) {
    if (!isDrawn[node]) continue;
    for (const { start, values: read } of [nodes.inputs, nodes.captured])
      for (let i = at(start, node); i < at(start, node + 1); i++) join(at(read, i), node);
  }
  outputs.forEach((read, i) => {
    join(read, firstOutput + i);
  });
  const columns = { from: Int32Array.from(from), to: Int32Array.from(to), value: Int32Array.from(value) };
  return { ends, firstInput, firstOutput, isDrawn, count: from.length, ...columns };
}
