import type { Rectangle } from '../scene/rectangle.js';

/** Where an element lies, in pixels of CSS from the corner of another one. */
export function rectangleIn(host: Element, element: Element): Rectangle {
  const [around, own] = [host.getBoundingClientRect(), element.getBoundingClientRect()];
  return { x: own.left - around.left, y: own.top - around.top, width: own.width, height: own.height };
}
