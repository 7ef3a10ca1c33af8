import { type Boxes, BoxKind } from '../graph/picture.js';
import { at, real } from './columns.js';
import { across, type Drawable } from './drawable.js';
import { valueOfEnd } from './labels.js';
import type { Scenes } from './scenes.js';

/** The boxes of all scenes; `boxOf` maps modules and ends to their boxes. */
export function boxesOf(graph: Drawable, scenes: Scenes): { readonly boxes: Boxes; readonly boxOf: Int32Array } {
  const { levels, direction } = graph;
  const boxOf = new Int32Array(levels.codes.firstIn).fill(-1);
  const drafts: [level: number, code: number, item: number][] = [];
  for (const [level, { graph: inside }] of scenes)
    inside.codes.forEach((code, item) => {
      if (code < levels.codes.firstIn) boxOf[code] = drafts.push([level, code, item]) - 1;
    });
  const boxes = emptyBoxes(drafts.length);
  drafts.forEach(([level, code, item], box) => {
    const scene = scenes.get(level);
    if (!scene) return;
    const [left, right] = [real(scene.sizes.left, item), real(scene.sizes.right, item)];
    const start = scene.acrossStart + real(scene.x, item) - left;
    const begin = scene.alongStart + real(scene.y, item);
    const thick = real(scene.sizes.along, item);
    boxes.x[box] = across(direction, start, begin);
    boxes.y[box] = across(direction, begin, start);
    boxes.width[box] = across(direction, left + right, thick);
    boxes.height[box] = across(direction, thick, left + right);
    boxes.parent[box] = level === levels.top ? -1 : at(boxOf, level);
    [boxes.kind[box], boxes.subject[box]] = described(graph, scenes, code);
  });
  return { boxes, boxOf };
}

const emptyBoxes = (count: number): Boxes => ({
  count,
  x: new Float32Array(count),
  y: new Float32Array(count),
  width: new Float32Array(count),
  height: new Float32Array(count),
  kind: new Uint8Array(count),
  subject: new Int32Array(count),
  parent: new Int32Array(count),
});

function described(
  { outline, flows, levels }: Drawable,
  scenes: Scenes,
  code: number,
): [kind: number, subject: number] {
  if (code < levels.codes.firstEnd) return [scenes.has(code) ? BoxKind.openModule : BoxKind.module, code];
  const end = code - levels.codes.firstEnd;
  if (end < flows.firstInput) return [BoxKind.node, end];
  return [end < flows.firstOutput ? BoxKind.input : BoxKind.output, valueOfEnd(outline, flows, end)];
}
