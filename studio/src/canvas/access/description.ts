import { BoxKind } from '../../graph/picture.js';
import { BADGES, type Dress } from '../paint/dress.js';
import { row } from '../scene/links.js';
import type { Scene } from '../scene/scene.js';
import { nodeName, sizeOf, titleOf, typeOf } from '../scene/words.js';

/** Describes a box: `Conv, /conv1/Conv, float32[1, 64, 112, 112], 1.24 ms`. */
export function description(scene: Scene, dress: Dress, box: number): string {
  const badges = BADGES.filter(({ bit }) => (dress.badges[box] as number) & bit).map(({ says }) => says);
  return [titleOf(scene, box), ...about(scene, box), dress.heatWords(box), ...badges].filter(Boolean).join(', ');
}

function about(scene: Scene, box: number): readonly string[] {
  const { outline, modules, picture } = scene;
  const subject = picture.boxes.subject[box] as number;
  switch (picture.boxes.kind[box]) {
    case BoxKind.node:
      return [nodeName(outline, subject), ...row(outline.nodes.outputs, subject).slice(0, 4)].map((part) =>
        typeof part === 'number' ? typeOf(outline, part) : part,
      );
    case BoxKind.module:
    case BoxKind.openModule:
      return [modules.path[subject] ?? '', sizeOf(modules, subject)];
    default:
      return [picture.boxes.kind[box] === BoxKind.input ? 'input' : 'output', typeOf(outline, subject)];
  }
}
