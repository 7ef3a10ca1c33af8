import { BoxKind } from '../../graph/picture.js';
import type { Scene } from '../scene/scene.js';
import { HEAT_STEPS } from './theme.js';

/** A figure of every node: milliseconds, bytes, multiply-adds. NaN where there is none. */
export interface Heat {
  readonly byNode: ArrayLike<number>;
  /** 'logarithmic' gives each step of colour the same factor, over six decades. */
  readonly spread: 'linear' | 'logarithmic';
  /** How figures are read: `1.24 ms`. */
  readonly words: (value: number) => string;
}

export interface BoxHeat {
  /** The figures of boxes, summed for modules; NaN for none. */
  readonly values: Float64Array;
  /** The hottest of all but opened modules: the end of the scale. */
  readonly most: number;
  /** A step of the theme's heat and one; 0 for none. */
  readonly steps: Uint8Array;
}

export function heatOfBoxes(scene: Scene, { byNode, spread }: Heat): BoxHeat {
  const { boxes } = scene.picture;
  const byModule = sums(scene, byNode);
  const values = Float64Array.from({ length: boxes.count }, (_, box) => {
    const subject = boxes.subject[box] as number;
    if (boxes.kind[box] === BoxKind.node) return byNode[subject] ?? Number.NaN;
    const isModule = boxes.kind[box] === BoxKind.module || boxes.kind[box] === BoxKind.openModule;
    return isModule ? (byModule[subject] as number) : Number.NaN;
  });
  const most = values.reduce((a, value, box) => (value > a && boxes.kind[box] !== BoxKind.openModule ? value : a), 0);
  const steps = Uint8Array.from(values, (value) => stepOf(value, most, spread));
  return { values, most, steps };
}

/** Of all nodes in each module and the modules in it; NaN where no node has a figure. */
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
