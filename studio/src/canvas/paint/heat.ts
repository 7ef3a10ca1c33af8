import { BoxKind } from '../../graph/picture.js';
import type { Scene } from '../scene/scene.js';
import { HEAT_STEPS } from './theme.js';

/** A figure for every node: milliseconds, bytes, multiply-adds. NaN for none. */
export interface Heat {
  readonly byNode: ArrayLike<number>;
  /** By module; defaults to the sum over its nodes, which suits additive figures. */
  readonly byModule?: ArrayLike<number> | undefined;
  /** The coldest figure; defaults to 0. */
  readonly from?: number | undefined;
  /** 'logarithmic' gives each colour step the same factor, over six decades. */
  readonly spread: 'linear' | 'logarithmic';
  /** Formats a figure: `1.24 ms`. */
  readonly words: (value: number) => string;
}

export interface BoxHeat {
  /** Figures by box, summed for modules; NaN for none. */
  readonly values: Float64Array;
  /** A step of the theme's heat plus one; 0 for none. */
  readonly steps: Uint8Array;
}

/** Heat is relative to the hottest node, drawn or not, and for modules to the hottest closed module. */
export function heatOfBoxes(scene: Scene, { byNode, byModule = sums(scene, byNode), from = 0, spread }: Heat): BoxHeat {
  const { boxes } = scene.picture;
  const values = new Float64Array(boxes.count).fill(Number.NaN);
  let mostOfModules = from;
  for (let box = 0; box < boxes.count; box++) {
    const subject = boxes.subject[box] as number;
    const kind = boxes.kind[box] as number;
    if (kind === BoxKind.node) values[box] = byNode[subject] ?? Number.NaN;
    if (kind === BoxKind.module || kind === BoxKind.openModule) values[box] = byModule[subject] as number;
    if (kind === BoxKind.module && (values[box] as number) > mostOfModules) mostOfModules = values[box] as number;
  }
  const mostOfNodes = hottest(byNode, from);
  const steps = values.map((value, box) =>
    stepOf(value - from, (boxes.kind[box] === BoxKind.node ? mostOfNodes : mostOfModules) - from, spread),
  );
  return { values, steps: Uint8Array.from(steps) };
}

/** The largest figure, or `from`. */
export function hottest(byNode: ArrayLike<number>, from = 0): number {
  let most = from;
  for (let node = 0; node < byNode.length; node++) if ((byNode[node] as number) > most) most = byNode[node] as number;
  return most;
}

/** Sums over all nodes in each module, inner modules included; NaN if no node has a figure. */
function sums({ modules }: Scene, byNode: ArrayLike<number>): Float64Array {
  const total = new Float64Array(modules.count).fill(Number.NaN);
  const add = (module: number, value: number) => {
    if (module >= 0 && !Number.isNaN(value)) total[module] = (total[module] || 0) + value;
  };
  modules.ofNode.forEach((module, node) => void add(module, byNode[node] ?? Number.NaN));
  for (let module = modules.count - 1; module >= 0; module--) {
    add(modules.parent[module] as number, total[module] as number);
  }
  return total;
}

const DECADES = 6;

function stepOf(value: number, most: number, spread: Heat['spread']): number {
  if (Number.isNaN(value)) return 0;
  const part = value <= 0 || most <= 0 ? 0 : value / most;
  const share = spread === 'linear' ? part : part > 0 ? 1 + Math.log10(part) / DECADES : 0;
  return 1 + Math.max(0, Math.min(HEAT_STEPS - 1, Math.floor(share * HEAT_STEPS)));
}
