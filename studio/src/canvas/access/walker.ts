import type { Scene } from '../scene/scene.js';
import { type Target, targetOfBox } from '../scene/target.js';
import type { Moves } from '../view/moves.js';
import type { KeyAction } from './keys.js';
import { firstIn, lastOf, type Step, stepFrom } from './walk.js';

/** The state a walker reads and the actions it may trigger. */
export interface Ground {
  scene(): Scene | undefined;
  selected(): Target | undefined;
  /** Selects the target and scrolls it into view. */
  go(target: Target | undefined): void;
  open(target: Target): void;
  /** Fits the whole graph. */
  fit(): void;
  /** Leaves the graph. */
  leave(): void;
}

/** Performs key actions; returns whether the action was handled. */
export function createWalker(ground: Ground, moves: Moves): (action: KeyAction) => boolean {
  /** The box left last, for the way back. */
  let came = -1;
  const boxNow = (scene: Scene) => {
    const target = ground.selected();
    return target ? scene.boxOf(target) : -1;
  };
  const goTo = (scene: Scene, box: number) => {
    if (box < 0) return;
    came = boxNow(scene);
    ground.go(targetOfBox(scene.picture.boxes, box));
  };
  const walk = (scene: Scene, step: Step) => {
    const box = boxNow(scene);
    goTo(scene, box < 0 ? firstIn(scene, -1) : stepFrom(scene, box, step, came));
  };
  /** To the enclosing module, then to no selection, then out of the graph. */
  const leave = (scene: Scene) => {
    const around = scene.picture.boxes.parent[boxNow(scene)] ?? -1;
    if (around >= 0) goTo(scene, around);
    else if (ground.selected()) ground.go(undefined);
    else ground.leave();
  };
  const open = (scene: Scene) => {
    const target = ground.selected();
    if (target) ground.open(target);
    else goTo(scene, firstIn(scene, -1));
  };
  const acts: Readonly<Record<Extract<KeyAction, { act: string }>['act'], (scene: Scene) => void>> = {
    open,
    leave,
    first: (scene) => goTo(scene, firstIn(scene, -1)),
    last: (scene) => goTo(scene, lastOf(scene)),
    fit: ground.fit,
    actual: () => moves.zoomTo(1),
  };
  return (action) => {
    const scene = ground.scene();
    if (!scene) return false;
    if ('act' in action) acts[action.act](scene);
    else if ('zoom' in action) moves.zoomBy(action.zoom);
    else walk(scene, action.walk);
    return true;
  };
}
