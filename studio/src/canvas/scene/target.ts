import { type Boxes, BoxKind } from '../../graph/picture.js';

/** What one can point at: a node, a module or a value of the outline, by its index there. */
export interface Target {
  readonly of: 'node' | 'module' | 'value';
  readonly index: number;
}

const OF: Readonly<Record<number, Target['of']>> = {
  [BoxKind.node]: 'node',
  [BoxKind.module]: 'module',
  [BoxKind.openModule]: 'module',
  [BoxKind.input]: 'value',
  [BoxKind.output]: 'value',
};

export const targetOfBox = ({ kind, subject }: Boxes, box: number): Target => ({
  of: OF[kind[box] as number] as Target['of'],
  index: subject[box] as number,
});

export const isSame = (a: Target | undefined, b: Target | undefined): boolean =>
  a?.of === b?.of && a?.index === b?.index;

/** The box of a target, or -1 where the picture has none. */
export type BoxOf = (target: Target) => number;

export function boxFinder(boxes: Boxes, sizes: Readonly<Record<Target['of'], number>>): BoxOf {
  const columns = {
    node: new Int32Array(sizes.node).fill(-1),
    module: new Int32Array(sizes.module).fill(-1),
    value: new Int32Array(sizes.value).fill(-1),
  };
  for (let box = boxes.count - 1; box >= 0; box--) {
    columns[OF[boxes.kind[box] as number] as Target['of']][boxes.subject[box] as number] = box;
  }
  return ({ of, index }) => columns[of][index] ?? -1;
}
