import type { Outline } from '../../graph/outline.js';
import { BoxKind, type Modules } from '../../graph/picture.js';
import { inOrder } from '../../ui/in-order.js';
import { grouped } from '../../ui/quantities.js';
import type { Scene } from './scene.js';

const stringOf = ({ strings }: Outline, index: number | undefined): string => strings[index ?? 0] ?? '';

/** The text on a box: a node's operator, a module's title, or an input's or output's name. */
export function titleOf({ outline, modules, picture: { boxes } }: Scene, box: number): string {
  const subject = boxes.subject[box] as number;
  switch (boxes.kind[box]) {
    case BoxKind.node:
      return stringOf(outline, outline.nodes.operator[subject]);
    case BoxKind.module:
    case BoxKind.openModule:
      return modules.title[subject] ?? '';
    default:
      return stringOf(outline, outline.values.name[subject]);
  }
}

export const nodeName = (outline: Outline, node: number): string => stringOf(outline, outline.nodes.name[node]);

export const typeOf = (outline: Outline, value: number): string =>
  inOrder(stringOf(outline, outline.values.type[value]));

export const valueName = (outline: Outline, value: number): string => stringOf(outline, outline.values.name[value]);

export const sizeOf = ({ size }: Modules, module: number): string => {
  const count = size[module] as number;
  return `${grouped(count)} ${count === 1 ? 'node' : 'nodes'}`;
};

/** `float32[1, 64] +2` where three values share an edge. */
export function edgeWords({ outline, picture: { edges } }: Scene, edge: number): string {
  const type = typeOf(outline, edges.value[edge] as number);
  const others = (edges.shared[edge] as number) - 1;
  return others > 0 ? `${type} +${others}`.trim() : type;
}
