import { type Boxes, BoxKind } from '../../graph/picture.js';

/** Something to point at: a node, module or value, by its index in the outline. */
export interface Target {
  readonly kind: 'node' | 'module' | 'value';
  readonly index: number;
}

const OF: Readonly<Record<number, Target['kind']>> = {
  [BoxKind.node]: 'node',
  [BoxKind.module]: 'module',
  [BoxKind.openModule]: 'module',
  [BoxKind.input]: 'value',
  [BoxKind.output]: 'value',
};

export const targetOfBox = ({ kind, subject }: Boxes, box: number): Target => ({
  kind: OF[kind[box] as number] as Target['kind'],
  index: subject[box] as number,
});

export const isSame = (a: Target | undefined, b: Target | undefined): boolean =>
  a?.kind === b?.kind && a?.index === b?.index;

/** The box of a target, or -1 if the picture has none. */
export type BoxOf = (target: Target) => number;

export function boxFinder(boxes: Boxes, sizes: Readonly<Record<Target['kind'], number>>): BoxOf {
  const columns = {
    node: new Int32Array(sizes.node).fill(-1),
    module: new Int32Array(sizes.module).fill(-1),
    value: new Int32Array(sizes.value).fill(-1),
  };
  for (let box = boxes.count - 1; box >= 0; box--) {
    columns[OF[boxes.kind[box] as number] as Target['kind']][boxes.subject[box] as number] = box;
  }
  return ({ kind, index }) => columns[kind][index] ?? -1;
}
