import type { Outline } from '../graph/outline.js';
import type { Modules } from '../graph/picture.js';
import { at } from './columns.js';
import type { Flows } from './folding.js';

/** The label of a node, or of a graph input or output; see Boxes.subject. */
export const nodeLabel = ({ strings, nodes }: Outline, node: number): string => strings[at(nodes.operator, node)] ?? '';
export const valueLabel = ({ strings, values }: Outline, value: number): string =>
  strings[at(values.name, value)] ?? '';
export const moduleLabel = ({ title }: Modules, module: number): string => title[module] ?? '';

/** The value of the graph input or output with this end number. */
export const valueOfEnd = ({ inputs, outputs }: Outline, { firstInput, firstOutput }: Flows, end: number): number =>
  end < firstOutput ? at(inputs, end - firstInput) : at(outputs, end - firstOutput);

/** Inputs and outputs have no lines. */
export const endLines = (lines: readonly string[], flows: Flows, end: number): readonly string[] =>
  end < flows.firstInput && lines[end] ? lines[end].split('\n') : [];

export const endLabel = (outline: Outline, flows: Flows, end: number): string =>
  end < flows.firstInput ? nodeLabel(outline, end) : valueLabel(outline, valueOfEnd(outline, flows, end));
