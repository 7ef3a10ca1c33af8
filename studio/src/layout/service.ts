import type { Outline } from '../graph/outline.js';
import type { FirstOptions, FirstPicture, LayoutService, Modules, Picture, PictureOptions } from '../graph/picture.js';
import { type Drawable, drawable } from './drawable.js';
import { memo } from './memo.js';
import { modulesOf } from './modules.js';
import { pictureOf } from './picture.js';
import { rehearse } from './rehearse.js';

type Ways = Pick<PictureOptions, 'folds' | 'direction'>;

/** Lays out one outline at a time: the one opened last. What does not depend on the modules that are open is kept. */
export function layoutService(): LayoutService {
  let drawableFor: (ways: Ways) => Drawable = () => {
    throw new Error('no outline is open: call open before picture');
  };
  return { open, picture, draw, rehearse };

  function open(outline: Outline): Modules {
    const modules = modulesOf(outline);
    const keyOf = ({ folds, direction }: Ways) => `${folds},${direction}`;
    drawableFor = memo(keyOf, ({ folds, direction }) => drawable(outline, modules, folds, direction));
    return modules;
  }

  function picture(options: PictureOptions): Picture {
    return pictureOf(drawableFor(options), options.opened);
  }

  function draw(outline: Outline, options: FirstOptions): FirstPicture {
    const modules = open(outline);
    const opened = options.opened.map((path) => modules.path.indexOf(path)).filter((module) => module >= 0);
    return { modules, opened, picture: picture({ ...options, opened }) };
  }
}
