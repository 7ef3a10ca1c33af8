import type { Outline } from '../graph/outline.js';
import type { LayoutService, Modules, Picture, PictureOptions } from '../graph/picture.js';
import { type Drawable, drawable } from './drawable.js';
import { modulesOf } from './modules.js';
import { pictureOf } from './picture.js';

/** Lays out one outline at a time: the one opened last. What does not depend on the modules that are open is kept. */
export function layoutService(): LayoutService {
  let drawableFor: (options: PictureOptions) => Drawable = () => {
    throw new Error('no outline is open: call open before picture');
  };
  return {
    open(outline: Outline): Modules {
      const modules = modulesOf(outline);
      const made = new Map<string, Drawable>();
      drawableFor = ({ folds, direction }) => {
        const key = `${folds},${direction}`;
        const known = made.get(key) ?? drawable(outline, modules, folds, direction);
        made.set(key, known);
        return known;
      };
      return modules;
    },
    picture(options: PictureOptions): Picture {
      return pictureOf(drawableFor(options), options.opened);
    },
  };
}
