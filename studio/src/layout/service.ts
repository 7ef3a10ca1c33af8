import type { Outline } from '../graph/outline.js';
import type { LayoutService, Modules, Picture, PictureOptions } from '../graph/picture.js';
import { modulesOf } from './modules.js';
import { type Drawable, drawable, pictureOf } from './picture.js';

/** Lays out one outline at a time: the one opened last. */
export function layoutService(): LayoutService {
  let drawableOf: (folds: boolean) => Drawable = () => {
    throw new Error('no outline is open: call open first');
  };
  return {
    open(outline: Outline): Modules {
      const modules = modulesOf(outline);
      const made = new Map<boolean, Drawable>();
      drawableOf = (folds) => {
        const drawn = made.get(folds) ?? drawable(outline, modules, folds);
        made.set(folds, drawn);
        return drawn;
      };
      return modules;
    },
    picture({ folds, ...options }: PictureOptions): Picture {
      return pictureOf(drawableOf(folds), options);
    },
  };
}
