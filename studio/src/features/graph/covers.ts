import type { Rectangle } from '../../canvas/scene/rectangle.js';
import { rectangleIn } from '../../canvas/view/rectangle-in.js';

const OVER = '.toolbar, .legend, .details, .tour, .task:not(:empty)';

/** What the page lays over the drawing. */
export function covers(): Rectangle[] {
  const host = document.querySelector('.graph');
  if (!host) return [];
  const { width, height } = host.getBoundingClientRect();
  return [...document.querySelectorAll(OVER)]
    .map((element) => rectangleIn(host, element))
    .filter((cover) => cover.width > 0 && cover.height > 0)
    .filter(({ x, y, ...size }) => x < width && y < height && x + size.width > 0 && y + size.height > 0);
}
