import { type Dress, dressOf } from '../paint/dress.js';
import { type Heat, hottest } from '../paint/heat.js';
import { lettering } from '../paint/lettering.js';
import { themeOf, watchTheme } from '../paint/theme.js';
import type { Scene } from '../scene/scene.js';

/** Colours, heat and badges, applicable to any scene. */
export interface Wardrobe {
  dress(scene: Scene): Dress;
  /** Returns the figure of the hottest node; 0 without heat. */
  setHeat(heat: Heat | undefined): number;
  setBadges(badges: Uint8Array | undefined): void;
}

/** Calls `changed` when the theme changes, until the signal aborts. */
export function createWardrobe(host: HTMLElement, changed: () => void, signal: AbortSignal): Wardrobe {
  let theme = themeOf(host);
  let letters = lettering(theme.font);
  let heat: Heat | undefined;
  let badges: Uint8Array | undefined;
  const unwatch = watchTheme(() => {
    theme = themeOf(host);
    letters = lettering(theme.font);
    changed();
  });
  signal.addEventListener('abort', unwatch);
  return {
    dress: (scene) => dressOf(scene, theme, letters, heat, badges),
    setHeat(next) {
      heat = next;
      changed();
      return next ? hottest(next.byNode, next.from) : 0;
    },
    setBadges(next) {
      badges = next;
      changed();
    },
  };
}
