import type { Outline } from '../graph/outline.js';
import type { Modules } from '../graph/picture.js';
import { at } from './columns.js';
import type { Flows } from './folding.js';

/** What the canvas writes on a node or on an input or output of the graph; see Boxes.subject. */
export const nodeLabel = ({ strings, nodes }: Outline, node: number): string => strings[at(nodes.operator, node)] ?? '';
export const valueLabel = ({ strings, values }: Outline, value: number): string =>
  strings[at(values.name, value)] ?? '';
export const moduleLabel = ({ title }: Modules, module: number): string => title[module] ?? '';

/** The value of the graph's input or output with this number among the ends. */
export const valueOfEnd = ({ inputs, outputs }: Outline, { firstInput, firstOutput }: Flows, end: number): number =>
  end < firstOutput ? at(inputs, end - firstInput) : at(outputs, end - firstOutput);

/** Nothing below inputs and outputs. */
export const endLines = (lines: readonly string[], flows: Flows, end: number): readonly string[] =>
  end < flows.firstInput && lines[end] ? lines[end].split('\n') : [];

export const endLabel = (outline: Outline, flows: Flows, end: number): string =>
  end < flows.firstInput ? nodeLabel(outline, end) : valueLabel(outline, valueOfEnd(outline, flows, end));
