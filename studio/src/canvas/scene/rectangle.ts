/** In picture pixels at a zoom of 1. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const grown = ({ x, y, width, height }: Rectangle, by: number): Rectangle => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

export const contains = (r: Rectangle, x: number, y: number): boolean =>
  x >= r.x && y >= r.y && x <= r.x + r.width && y <= r.y + r.height;

/** The position of an element relative to another one's corner, in CSS pixels. */
export function rectangleIn(host: Element, element: Element): Rectangle {
  const [around, own] = [host.getBoundingClientRect(), element.getBoundingClientRect()];
  return { x: own.left - around.left, y: own.top - around.top, width: own.width, height: own.height };
}
