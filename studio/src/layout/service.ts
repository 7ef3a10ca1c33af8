import type { Outline } from '../graph/outline.js';
import type {
  FirstOptions,
  FirstPicture,
  LayoutService,
  Modules,
  Picture,
  PictureOptions,
  Room,
} from '../graph/picture.js';
import { type Drawable, drawable } from './drawable.js';
import { memo } from './memo.js';
import { modulesOf } from './modules.js';
import { pictureOf } from './picture.js';
import { rehearse } from './rehearse.js';

type Ways = Pick<PictureOptions, 'folds' | 'direction'>;

/** Lays out one outline at a time, the last one opened. Results that don't depend on the open modules are kept. */
export function layoutService(): LayoutService {
  let drawableFor: (ways: Ways) => Drawable = () => {
    throw new Error('no outline is open: call open before picture');
  };
  let lines: readonly string[] = [];
  let version = 0;
  return { open, describe, picture, draw, rehearse };

  function open(outline: Outline): Modules {
    const modules = modulesOf(outline);
    lines = [];
    const keyOf = ({ folds, direction }: Ways) => `${folds},${direction},${version}`;
    drawableFor = memo(keyOf, ({ folds, direction }) => drawable(outline, modules, folds, direction, lines));
    return modules;
  }

  function describe(below: readonly string[]): void {
    lines = below;
    version++;
  }

  function picture(options: PictureOptions): Picture {
    return pictureOf(drawableFor(options), options.opened);
  }

  function draw(outline: Outline, options: FirstOptions): FirstPicture {
    const modules = open(outline);
    if (options.room && options.opened.length === 0) return { modules, ...filled(modules, options, options.room) };
    const opened = options.opened.map((path) => modules.path.indexOf(path)).filter((module) => module >= 0);
    return { modules, opened, picture: picture({ ...options, opened }) };
  }

  /** Opens modules, outermost first, until the picture fills the room. */
  function filled({ count, parent }: Modules, ways: Ways, room: Room): Omit<FirstPicture, 'modules'> {
    const opened: number[] = [];
    let last = picture({ ...ways, opened });
    for (let tries = 0; tries < MOST_TRIES && !fills(last, room); tries++) {
      const next = nextClosed(count, parent, opened);
      if (next < 0) break;
      opened.push(next);
      last = picture({ ...ways, opened });
    }
    return { opened, picture: last };
  }
}

/** The most layout attempts for a first picture. */
const MOST_TRIES = 12;
/** Everything is readable at this zoom. */
const READABLE = 0.75;

const fills = ({ width, height }: Picture, room: Room): boolean =>
  width * READABLE > room.width || height * READABLE > room.height;

/** The first outermost closed module; -1 if all are open. */
function nextClosed(count: number, parent: Int32Array, opened: readonly number[]): number {
  const depth = new Int32Array(count);
  let best = -1;
  for (let module = 0; module < count; module++) {
    const around = parent[module] as number;
    depth[module] = around < 0 ? 0 : (depth[around] as number) + 1;
    if (opened.includes(module) || (around >= 0 && !opened.includes(around))) continue;
    if (best < 0 || (depth[module] as number) < (depth[best] as number)) best = module;
  }
  return best;
}
