import { BoxKind } from '../../graph/picture.js';
import { followKeys } from '../access/keyboard.js';
import { createTree } from '../access/tree.js';
import { createWalker } from '../access/walker.js';
import type { Portrait } from '../export/portrait.js';
import { hitAt } from '../scene/hit.js';
import type { Rectangle } from '../scene/rectangle.js';
import { rectangleIn } from '../scene/rectangle.js';
import { boxRectangle, type Drawn, producerOf, sceneOf } from '../scene/scene.js';
import { isSame, type Target } from '../scene/target.js';
import { type Anchor, anchored, anchorOf } from './anchor.js';
import { freePart, isInSight, resized, windowOf } from './camera.js';
import { createDisplay } from './display.js';
import { createMinimap } from './minimap.js';
import { createMoves } from './moves.js';
import { followPointer, type Place } from './pointer.js';
import { createStack } from './stack.js';
import type { Content } from './tiles.js';
import type { GraphHooks, GraphView } from './view.js';
import { createWardrobe } from './wardrobe.js';
import { createZoomButtons } from './zoom-buttons.js';

/** A view in an element of any size; its class sets the colours, see graph.css. */
export function createGraphView(host: HTMLElement, hooks: GraphHooks): GraphView {
  host.classList.add('graph');
  const ended = new AbortController();
  const { signal } = ended;
  let content: Content | undefined;
  let selected: Target | undefined;
  let hovered: Target | undefined;
  let isFocused = false;
  let anchor: Anchor | undefined;
  /** Set if a graph arrived before the element had a size. */
  let isFirstLookDue = false;

  const sceneNow = () => content?.scene;
  const boxOf = (target: Target | undefined) => (content && target ? content.scene.boxOf(target) : -1);

  const tree = createTree();
  const minimap = createMinimap((x, y) => byHand(moves.centreOn)(x, y), signal);
  const buttons = createZoomButtons({
    zoom: (factor) => moves.zoomBy(factor),
    actual: () => moves.zoomTo(1),
    fit: () => fit(),
  });
  const { surface, context } = createStack(host, tree.element, minimap, buttons);
  const display = createDisplay(context, minimap, {
    moved: (camera) => hooks.moved?.(camera),
    drawn: (milliseconds) => hooks.frame?.(milliseconds),
    stilled() {
      buttons.say(display.camera().scale);
      mirror();
    },
  });
  /** The overlays as of the last check. */
  let covers: readonly Rectangle[] = [];
  const lookAround = () => {
    covers = hooks.covers?.() ?? [];
  };
  const moves = createMoves(display, sceneNow, () => freePart(display.screen(), covers));
  /** The target that stays centred until the user moves the drawing. */
  let middle: Target | undefined;
  let wasInSight = false;
  const byHand =
    <A extends readonly unknown[]>(move: (...args: A) => void) =>
    (...args: A) => {
      middle = undefined;
      move(...args);
    };
  const wardrobe = createWardrobe(host, () => content && wear(content.scene, true), signal);

  const mark = () => display.mark({ selected, hovered, isFocused });
  const mirror = () => {
    if (!content) return;
    const { scene } = content;
    const place = (box: number) => moves.onScreen(boxRectangle(scene, box));
    wasInSight = isSeen(selected);
    tree.show({ ...content, window: windowOf(display.camera(), display.screen()), selected: boxOf(selected), place });
  };
  const wear = (scene: Content['scene'], isSamePicture: boolean) => {
    content = { scene, dress: wardrobe.dress(scene) };
    display.wear(content, isSamePicture);
  };

  const select = (target: Target | undefined) => {
    selected = target;
    if (!isSame(target, middle)) middle = undefined;
    mark();
    mirror();
  };
  const choose = (target: Target | undefined) => {
    if (isSame(target, selected)) return;
    select(target);
    hooks.select(target);
  };
  const placeOf = (target: Target) => {
    const own = boxOf(target);
    return own >= 0 || !content ? own : producerOf(content.scene, target);
  };
  const isSeen = (target: Target | undefined) => {
    const box = target ? placeOf(target) : -1;
    if (!content || box < 0) return false;
    const own = [minimap.element, buttons.element].map((element) => rectangleIn(host, element));
    return isInSight(moves.onScreen(boxRectangle(content.scene, box)), freePart(display.screen(), covers), [
      ...covers,
      ...own,
    ]);
  };
  const reveal = (target: Target) => {
    const box = placeOf(target);
    if (!content || box < 0) return;
    lookAround();
    middle = target;
    wasInSight = true;
    moves.reveal(boxRectangle(content.scene, box));
  };
  const settle = () => {
    lookAround();
    if (middle) reveal(middle);
    else if (selected && wasInSight && !isSeen(selected)) reveal(selected);
  };
  const toggle = (target: Target, pointer?: Place) => {
    const box = boxOf(target);
    if (!content || box < 0) return;
    anchor = anchorOf(content.scene, display.camera(), target, pointer);
    middle = undefined;
    hooks.toggle(target.index, content.scene.picture.boxes.kind[box] === BoxKind.module);
  };
  const open = (target: Target) => (target.kind === 'module' ? toggle(target) : hooks.details(target));

  const fit = () => {
    lookAround();
    middle = undefined;
    moves.fit();
  };

  const hitUnder = (place: Place) => {
    const { x, y } = moves.under(place);
    return content && hitAt(content.scene, x, y, display.camera().scale);
  };
  const point = (place: Place | undefined) => {
    const target = place && hitUnder(place)?.target;
    surface.classList.toggle('pointing', target !== undefined);
    if (!isSame(target, hovered)) {
      hovered = target;
      mark();
    }
    hooks.hover?.(target, place?.x ?? 0, place?.y ?? 0);
  };
  const press = (place: Place) => {
    const hit = hitUnder(place);
    tree.element.focus({ preventScroll: true });
    if (hit?.sign) toggle(hit.target, place);
    else choose(hit?.target);
  };
  const pressTwice = (place: Place) => {
    const hit = hitUnder(place);
    if (!hit || hit.sign) return;
    if (hit.target.kind === 'module') toggle(hit.target, place);
    else hooks.enter(hit.target, place.x, place.y);
  };
  followPointer(
    surface,
    { pan: byHand(moves.pan), zoom: byHand(moves.zoomAt), point, press, open: pressTwice },
    signal,
  );

  const go = (target: Target | undefined) => {
    choose(target);
    if (target) reveal(target);
  };
  const walker = createWalker({ scene: sceneNow, selected: () => selected, go, open, fit, leave: hooks.leave }, moves);
  followKeys(tree.element, () => sceneNow()?.direction ?? 'down', walker, signal);
  const lookForFocus = () => {
    isFocused = tree.element.matches(':focus-visible');
    mark();
  };
  for (const event of ['focus', 'blur', 'keydown']) tree.element.addEventListener(event, lookForFocus, { signal });

  /** Left edge of the drawing. When a panel opens at the far end, nothing moves: a clicked node stays under the pointer. */
  let edge = 0;
  const measure = () => {
    const { left, width, height } = host.getBoundingClientRect();
    // Hidden: keep the position until it is visible again.
    if (width === 0 || height === 0) return;
    const now = display.screen();
    if (now.width === width && now.height === height && now.ratio === devicePixelRatio) return;
    const next = { width, height, ratio: devicePixelRatio };
    display.resize(next);
    if (isFirstLookDue && content) begin(content.scene);
    else if (content && left !== edge) display.look(resized(display.camera(), content.scene.picture, now, next));
    edge = left;
    settle();
  };
  const begin = (scene: Content['scene']) => {
    isFirstLookDue = display.screen().width === 0;
    middle = undefined;
    lookAround();
    moves.begin(scene);
  };
  const observer = new ResizeObserver(measure);
  observer.observe(host);
  measure();

  const show = (drawn: Drawn) => {
    const before = content?.scene;
    const isSamePicture = before?.picture === drawn.picture;
    const held = anchor ?? (before && selected && anchorOf(before, display.camera(), selected));
    const scene = before && isSamePicture ? { ...before, ...drawn } : sceneOf(drawn);
    const isByKey = anchor !== undefined && anchor.pointer === undefined;
    // Types for the same picture may arrive while the picture with the opened module is being made.
    if (!isSamePicture) anchor = undefined;
    if (hovered && scene.boxOf(hovered) < 0) hovered = undefined;
    if (before?.modules !== drawn.modules || before.direction !== drawn.direction) begin(scene);
    else if (held && !isSamePicture) display.look(anchored(scene, display.camera(), held));
    wear(scene, isSamePicture);
    mark();
    if (!isSamePicture && isByKey && held) reveal(held.target);
  };
  const portrait = (): Portrait => {
    if (content) return content;
    throw new Error('there is no graph to export yet');
  };

  return {
    show,
    select(target) {
      if (!isSame(target, selected)) select(target);
    },
    selected: () => selected,
    reveal,
    position() {
      const [{ scale, x, y }, { width, height }] = [display.destination(), display.screen()];
      return { scale, x: (width / 2 - x) / scale, y: (height / 2 - y) / scale };
    },
    moveTo({ scale, x, y }) {
      const { width, height } = display.screen();
      middle = undefined;
      display.look({ scale, x: width / 2 - x * scale, y: height / 2 - y * scale });
    },
    setHeat: wardrobe.setHeat,
    setBadges: wardrobe.setBadges,
    camera: display.camera,
    look: byHand(display.follow),
    rectangle(target) {
      const box = placeOf(target);
      return content && box >= 0 ? boxRectangle(content.scene, box) : undefined;
    },
    fit,
    settle,
    zoomBy: moves.zoomBy,
    zoomTo: moves.zoomTo,
    has: (target) => placeOf(target) >= 0,
    focus: () => tree.element.focus(),
    svg: async () => (await import('../export/svg.js')).pictureAsSvg(portrait()),
    png: async (scale) => (await import('../export/png.js')).pictureAsPng(portrait(), scale),
    dispose() {
      ended.abort();
      display.stop();
      observer.disconnect();
      host.replaceChildren();
      host.classList.remove('graph');
    },
  };
}
