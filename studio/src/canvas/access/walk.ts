import { BoxKind } from '../../graph/picture.js';
import { row } from '../scene/links.js';
import type { Scene } from '../scene/scene.js';

/** Direction of a step through the drawing: downstream, upstream, or sideways. */
export type Step = 'reader' | 'producer' | 'before' | 'after';

/** The box that a step from a box leads to, or -1. `came` is the previous box, which is preferred. */
export function stepFrom(scene: Scene, box: number, step: Step, came: number): number {
  if (step === 'before' || step === 'after') return sibling(scene, box, step);
  const next = neighbours(scene, box, step);
  if (next.includes(came)) return came;
  return nearest(scene, box, next, step);
}

function neighbours(scene: Scene, box: number, step: 'reader' | 'producer'): number[] {
  const { edges } = scene.picture;
  const isReader = step === 'reader';
  const links = row(isReader ? scene.outgoing : scene.incoming, box);
  const ends = isReader ? edges.to : edges.from;
  return [...new Set([...links].map((edge) => ends[edge] as number))].filter((other) => other >= 0 && other !== box);
}

/** Without edges that way: from an open module's header to its first box, or from a box to the module around it. */
function nearest(scene: Scene, box: number, among: readonly number[], step: 'reader' | 'producer'): number {
  if (among.length > 0) return closest(scene, box, among);
  const { kind, parent } = scene.picture.boxes;
  if (step === 'reader' && kind[box] === BoxKind.openModule) return firstIn(scene, box);
  const around = parent[box] as number;
  return step === 'producer' && around >= 0 ? around : -1;
}

function closest(scene: Scene, box: number, among: readonly number[]): number {
  const [x, y] = centre(scene, box);
  const distance = (other: number) => {
    const [otherX, otherY] = centre(scene, other);
    return Math.hypot(otherX - x, otherY - y);
  };
  return among.reduce((a, b) => (distance(b) < distance(a) ? b : a));
}

export function centre({ picture: { boxes } }: Scene, box: number): readonly [number, number] {
  const { x, y, width, height } = boxes;
  return [(x[box] as number) + (width[box] as number) / 2, (y[box] as number) + (height[box] as number) / 2];
}

/** The first box directly inside a module (at the top for -1), or -1. */
export function firstIn({ picture: { boxes }, direction }: Scene, frame: number): number {
  const [main, side] = direction === 'down' ? [boxes.y, boxes.x] : [boxes.x, boxes.y];
  let found = -1;
  for (let i = 0; i < boxes.count; i++) {
    if (boxes.parent[i] !== frame) continue;
    const ahead = found < 0 ? -1 : (main[i] as number) - (main[found] as number);
    if (ahead < 0 || (ahead === 0 && (side[i] as number) < (side[found] as number))) found = i;
  }
  return found;
}

/** The adjacent box in the same module. */
function sibling(scene: Scene, box: number, step: 'before' | 'after'): number {
  const { boxes } = scene.picture;
  const isDown = scene.direction === 'down';
  const [main, size, side] = isDown ? [boxes.y, boxes.height, boxes.x] : [boxes.x, boxes.width, boxes.y];
  const [top, bottom] = [main[box] as number, (main[box] as number) + (size[box] as number)];
  const sign = step === 'after' ? 1 : -1;
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  const band = { ...whole(scene), ...(isDown ? { y: top, height: bottom - top } : { x: top, width: bottom - top }) };
  scene.boxes.query(band, (other) => {
    if (other === box || boxes.parent[other] !== boxes.parent[box]) return;
    const distance = sign * ((side[other] as number) - (side[box] as number));
    if (distance <= 0 || distance >= least) return;
    found = other;
    least = distance;
  });
  return found;
}

const whole = ({ picture }: Scene) => ({ x: -1e6, y: -1e6, width: picture.width + 2e6, height: picture.height + 2e6 });

/** The box that starts furthest along, or -1. */
export function lastOf({ picture: { boxes }, direction }: Scene): number {
  const ahead = direction === 'down' ? boxes.y : boxes.x;
  let found = boxes.count > 0 ? 0 : -1;
  for (let i = 1; i < boxes.count; i++) if ((ahead[i] as number) > (ahead[found] as number)) found = i;
  return found;
}
