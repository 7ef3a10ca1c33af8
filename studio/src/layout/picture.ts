import type { Picture } from '../graph/picture.js';
import { boxesOf } from './boxes.js';
import { across, type Drawable } from './drawable.js';
import { edgesOf } from './lines.js';
import { METRICS } from './metrics.js';
import { type Scene, scenesOf } from './scenes.js';

/** Modules are by number in the outline; those inside closed ones stay hidden. */
export function pictureOf(graph: Drawable, opened: readonly number[]): Picture {
  const scenes = scenesOf(graph, opened);
  const { boxes, boxOf } = boxesOf(graph, scenes);
  const edges = edgesOf(graph, scenes, boxes, boxOf);
  const top = scenes.get(graph.levels.top) as Scene;
  const [wide, long] = [top.across + 2 * METRICS.padding, top.along + 2 * METRICS.padding];
  return { width: across(graph.direction, wide, long), height: across(graph.direction, long, wide), boxes, edges };
}
