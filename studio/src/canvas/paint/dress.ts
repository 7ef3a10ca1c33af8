import { BoxKind } from '../../graph/picture.js';
import type { Scene } from '../scene/scene.js';
import { type Heat, heatOfBoxes } from './heat.js';
import type { Lettering } from './lettering.js';
import type { Theme } from './theme.js';

/** The changeable appearance of boxes. */
export interface Dress {
  readonly theme: Theme;
  readonly lettering: Lettering;
  /** By box: a step of the theme's heat plus one; 0 for none. */
  readonly heat: Uint8Array;
  /** The heat of a box as text: `1.24 ms`; '' for none. */
  readonly heatWords: (box: number) => string;
  /** Bits of BADGES, by box. */
  readonly badges: Uint8Array;
}

/** Marks at the corner of a box; if there are several, the first is shown. Same order as the theme's colours. */
export const BADGES = [
  { name: 'error', bit: 1, glyph: '!', says: 'error' },
  { name: 'nan', bit: 2, glyph: 'N', says: 'NaN or infinity' },
  { name: 'captured', bit: 4, glyph: '•', says: 'captured' },
  { name: 'added', bit: 8, glyph: '+', says: 'added' },
  { name: 'removed', bit: 16, glyph: '−', says: 'removed' },
  { name: 'changed', bit: 32, glyph: '~', says: 'changed' },
  { name: 'found', bit: 64, glyph: '✓', says: 'found' },
] as const;

export type BadgeName = (typeof BADGES)[number]['name'];

/** The index of the shown badge in BADGES, or -1. */
export const badgeShown = (bits: number): number => BADGES.findIndex(({ bit }) => (bits & bit) !== 0);

/** Whether a box too small for a mark takes the badge's colour: not for badges that only reflect the user's request. */
export const isAlarm = (shown: number): boolean => shown >= 0 && BADGES[shown]?.name !== 'captured';

/** The appearance of a scene's boxes; heat figures and badges are by node. */
export function dressOf(
  scene: Scene,
  theme: Theme,
  lettering: Lettering,
  heat: Heat | undefined,
  badges: Uint8Array | undefined,
): Dress {
  const { count } = scene.picture.boxes;
  const warmth = heat && heatOfBoxes(scene, heat);
  return {
    theme,
    lettering,
    heat: warmth?.steps ?? new Uint8Array(count),
    heatWords: (box) => {
      const value = warmth?.values[box] ?? Number.NaN;
      return heat && !Number.isNaN(value) ? heat.words(value) : '';
    },
    badges: badges ? badgesOfBoxes(scene, badges) : new Uint8Array(count),
  };
}

/** A closed module has the badges of all its nodes. */
function badgesOfBoxes({ modules, picture: { boxes } }: Scene, byNode: Uint8Array): Uint8Array {
  const byModule = new Uint8Array(modules.count);
  const join = (module: number, bits: number) => {
    if (module >= 0) byModule[module] = (byModule[module] as number) | bits;
  };
  modules.ofNode.forEach((module, node) => void join(module, byNode[node] ?? 0));
  for (let i = modules.count - 1; i >= 0; i--) join(modules.parent[i] as number, byModule[i] as number);
  return Uint8Array.from({ length: boxes.count }, (_, box) => {
    const subject = boxes.subject[box] as number;
    if (boxes.kind[box] === BoxKind.node) return byNode[subject] ?? 0;
    return boxes.kind[box] === BoxKind.module ? (byModule[subject] as number) : 0;
  });
}
