import { SardonyxError } from '../../../../src/base/errors.js';
import { BoxKind } from '../../graph/picture.js';
import { followKeys } from '../access/keyboard.js';
import type { KeyAction } from '../access/keys.js';
import { createTree } from '../access/tree.js';
import { firstIn, type Step, stepFrom } from '../access/walk.js';
import { pictureAsPng } from '../export/png.js';
import { pictureAsSvg } from '../export/svg.js';
import { type Dress, dressOf } from '../paint/dress.js';
import { type Heat, heatOfBoxes } from '../paint/heat.js';
import { lettering } from '../paint/lettering.js';
import { themeOf, watchTheme } from '../paint/theme.js';
import { type Hit, hitAt } from '../scene/hit.js';
import type { Rectangle } from '../scene/rectangle.js';
import { boxRectangle, type Drawn, producerOf, type Scene, sceneOf } from '../scene/scene.js';
import { isSame, type Target, targetOfBox } from '../scene/target.js';
import { type Anchor, anchored, anchorOf } from './anchor.js';
import { firstLook, fitted, fittingZoom, kept, moved, revealing, windowOf, zoomedAbout } from './camera.js';
import { createDisplay } from './display.js';
import { createMinimap } from './minimap.js';
import { followPointer, type Place } from './pointer.js';
import { createStack } from './stack.js';
import type { GraphHooks, GraphView } from './view.js';
import { createZoomButtons } from './zoom-buttons.js';

/** A view in an element of any size, whose class says the colours: graph.css. */
export function createGraphView(host: HTMLElement, hooks: GraphHooks): GraphView {
  const ended = new AbortController();
  const { signal } = ended;
  let scene: Scene | undefined;
  let dress: Dress | undefined;
  host.classList.add('graph');
  let theme = themeOf(host);
  let letters = lettering(theme.font);
  let heat: Heat | undefined;
  let badges: Uint8Array | undefined;
  let selected: Target | undefined;
  let hovered: Target | undefined;
  /** The box that a walk left last. */
  let came = -1;
  let isFocused = false;
  let anchor: Anchor | undefined;
  let isLookDue = false;

  const tree = createTree();
  const minimap = createMinimap((x, y) => centreOn(x, y), signal);
  const buttons = createZoomButtons({
    zoom: (factor) => zoomBy(factor),
    actual: () => zoomTo(1),
    fit: () => fit(),
  });
  const { surface, context } = createStack(host, tree.element, minimap, buttons);
  const display = createDisplay(context, minimap, {
    drawn(camera, milliseconds) {
      buttons.say(camera.scale);
      hooks.frame?.(milliseconds);
    },
    stilled: () => mirror(),
  });

  const picture = () => scene?.picture ?? { width: 1, height: 1 };
  const mark = () => display.mark({ selected, hovered, isFocused });
  const boxOf = (target: Target | undefined) => (scene && target ? scene.boxOf(target) : -1);

  const place = (box: number): Rectangle => {
    const { x, y, width, height } = boxRectangle(scene as Scene, box);
    const { scale, x: left, y: top } = display.camera();
    return { x: x * scale + left, y: y * scale + top, width: width * scale, height: height * scale };
  };
  const mirror = () => {
    if (!scene || !dress) return;
    const window = windowOf(display.camera(), display.screen());
    tree.show({ scene, dress, window, selected: boxOf(selected), place });
  };

  const portrait = () => {
    if (!scene || !dress) throw new SardonyxError('INVALID_ARGUMENT', 'no graph is shown yet that could be exported');
    return { scene, dress };
  };
  const redress = (isSamePicture: boolean) => {
    if (!scene) return;
    dress = dressOf(scene, theme, letters, heat, badges);
    display.wear({ scene, dress }, isSamePicture);
  };
  const retheme = () => {
    theme = themeOf(host);
    letters = lettering(theme.font);
    redress(true);
  };

  const firstSight = () => {
    if (!scene) return;
    const begin = boxRectangle(scene, firstIn(scene, -1));
    isLookDue = display.screen().width === 0;
    display.look(firstLook(scene.picture, display.screen(), begin, scene.direction));
  };

  const reveal = (target: Target) => {
    const box = boxOf(target) >= 0 || !scene ? boxOf(target) : producerOf(scene, target);
    if (scene && box >= 0)
      display.look(revealing(display.destination(), boxRectangle(scene, box), display.screen()), 'flying');
  };
  const choose = (target: Target | undefined, isShown: boolean) => {
    selected = target;
    mark();
    if (isShown && target) reveal(target);
    mirror();
  };
  const chosen = (target: Target | undefined, reveal: boolean) => {
    if (isSame(target, selected)) return;
    choose(target, reveal);
    hooks.select(target);
  };

  const toggle = (target: Target, pointer?: Place) => {
    const box = boxOf(target);
    if (!scene || box < 0) return;
    anchor = anchorOf(scene, display.camera(), target, pointer);
    hooks.toggle(target.index, scene.picture.boxes.kind[box] === BoxKind.module);
  };
  const open = (target: Target, pointer?: Place) =>
    target.kind === 'module' ? toggle(target, pointer) : hooks.details(target);

  const zoomAt = (x: number, y: number, factor: number, way?: 'flying') => {
    const least = fittingZoom(picture(), display.screen());
    const from = way ? display.destination() : display.camera();
    const next = zoomedAbout(from, x, y, factor, least);
    display.look(kept(next, picture(), display.screen()), way ?? 'at once');
  };
  const zoomBy = (factor: number) => {
    const { width, height } = display.screen();
    zoomAt(width / 2, height / 2, factor, 'flying');
  };
  const zoomTo = (zoom: number) => zoomBy(zoom / display.destination().scale);
  const fit = () => display.look(fitted(picture(), display.screen()), 'flying');
  const centreOn = (x: number, y: number) => {
    const { scale } = display.camera();
    const { width, height } = display.screen();
    display.look({ scale, x: width / 2 - x * scale, y: height / 2 - y * scale });
  };

  const hit = ({ x, y }: Place): Hit | undefined => {
    const { scale, x: left, y: top } = display.camera();
    return scene && hitAt(scene, (x - left) / scale, (y - top) / scale, scale);
  };
  followPointer(
    surface,
    {
      pan: (dx, dy) => display.look(moved(display.camera(), dx, dy, picture(), display.screen())),
      zoom: (x, y, factor) => zoomAt(x, y, factor),
      point(at) {
        const found = at && hit(at);
        surface.classList.toggle('pointing', found !== undefined);
        if (!isSame(found?.target, hovered)) {
          hovered = found?.target;
          mark();
        }
        hooks.hover?.(hovered, at?.x ?? 0, at?.y ?? 0);
      },
      press(at) {
        const found = hit(at);
        tree.element.focus({ preventScroll: true });
        if (found?.sign) toggle(found.target, at);
        else chosen(found?.target, false);
      },
      open(at) {
        const found = hit(at);
        if (found && !found.sign) open(found.target, at);
      },
    },
    signal,
  );

  const go = (box: number) => {
    if (!scene || box < 0) return false;
    came = boxOf(selected);
    chosen(targetOfBox(scene.picture.boxes, box), true);
    return true;
  };
  const last = (shown: Scene) => {
    const { boxes } = shown.picture;
    const ahead = shown.direction === 'down' ? boxes.y : boxes.x;
    let found = -1;
    for (let i = 0; i < boxes.count; i++) if (found < 0 || (ahead[i] as number) > (ahead[found] as number)) found = i;
    return found;
  };
  /** To the module around, then to no selection, then out of the graph. */
  const leave = () => {
    const box = boxOf(selected);
    const around = box >= 0 && scene ? (scene.picture.boxes.parent[box] as number) : -1;
    if (around >= 0) return go(around);
    if (selected) chosen(undefined, false);
    else hooks.leave();
    return true;
  };
  const ACTS: Readonly<Record<Extract<KeyAction, { act: string }>['act'], () => boolean>> = {
    open() {
      if (!selected) return go(scene ? firstIn(scene, -1) : -1);
      open(selected);
      return true;
    },
    leave,
    first: () => go(scene ? firstIn(scene, -1) : -1),
    last: () => go(scene ? last(scene) : -1),
    fit() {
      fit();
      return true;
    },
    actual() {
      zoomTo(1);
      return true;
    },
  };
  const press = (action: KeyAction): boolean => {
    if (!scene) return false;
    if ('act' in action) return ACTS[action.act]();
    if ('zoom' in action) zoomBy(action.zoom);
    else walk(action.walk);
    return true;
  };
  const walk = (step: Step) => {
    if (!scene) return;
    const box = boxOf(selected);
    go(box < 0 ? firstIn(scene, -1) : stepFrom(scene, box, step, came));
  };
  followKeys(tree.element, () => scene?.direction ?? 'down', press, signal);
  const focused = () => {
    isFocused = tree.element.matches(':focus-visible');
    mark();
  };
  for (const name of ['focus', 'blur', 'keydown'] as const) tree.element.addEventListener(name, focused, { signal });

  const measure = () => {
    const { width, height } = host.getBoundingClientRect();
    const before = display.screen();
    if (before.width === width && before.height === height && before.ratio === devicePixelRatio) return;
    display.resize({ width, height, ratio: devicePixelRatio });
    if (isLookDue && width > 0) firstSight();
  };
  const observer = new ResizeObserver(measure);
  observer.observe(host);
  measure();
  const unwatch = watchTheme(retheme);

  return {
    show(drawn: Drawn) {
      const isFirst = scene?.outline.path !== drawn.outline.path || scene === undefined;
      const isSamePicture = scene?.picture === drawn.picture;
      const before =
        anchor ?? (scene && selected && boxOf(selected) >= 0 ? anchorOf(scene, display.camera(), selected) : undefined);
      anchor = undefined;
      came = -1;
      scene = scene && isSamePicture ? { ...scene, ...drawn } : sceneOf(drawn);
      if (boxOf(hovered) < 0) hovered = undefined;
      if (isFirst) firstSight();
      else if (before && !isSamePicture) display.look(anchored(scene, display.camera(), before));
      redress(isSamePicture);
      mark();
    },
    select(target) {
      if (!isSame(target, selected)) choose(target, false);
    },
    reveal,
    selected: () => selected,
    setHeat(next) {
      heat = next;
      redress(true);
      return scene && next ? heatOfBoxes(scene, next).most : 0;
    },
    setBadges(next) {
      badges = next;
      redress(true);
    },
    fit,
    zoomBy,
    zoomTo,
    focus: () => tree.element.focus(),
    svg: async () => pictureAsSvg(portrait()),
    png: async (scale) => pictureAsPng(portrait(), scale),
    dispose() {
      ended.abort();
      display.stop();
      observer.disconnect();
      unwatch();
      host.replaceChildren();
      host.classList.remove('graph');
    },
  };
}
