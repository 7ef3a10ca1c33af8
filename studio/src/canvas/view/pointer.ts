/** Pointer gestures; places are CSS pixels from the element's corner. */
export interface Gestures {
  pan(dx: number, dy: number): void;
  zoom(x: number, y: number, factor: number): void;
  /** The place pointed at, or undefined once the pointer has left. */
  point(place: Place | undefined): void;
  press(place: Place): void;
  open(place: Place): void;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Pixels that a finger or mouse may move during a click. */
const SLACK = 4;
const LINE = 18;

/** Listens to mouse, pen, touch and wheel until the signal aborts. */
export function followPointer(element: HTMLElement, gestures: Gestures, signal: AbortSignal): void {
  const held = new Map<number, Place>();
  let start: Place | undefined;
  const placeOf = (event: MouseEvent): Place => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const on = <Name extends keyof HTMLElementEventMap>(name: Name, act: (event: HTMLElementEventMap[Name]) => void) =>
    element.addEventListener(name, act, { signal, passive: false });

  on('pointerdown', (event) => {
    if (event.button > 1) return;
    element.setPointerCapture(event.pointerId);
    held.set(event.pointerId, placeOf(event));
    start = held.size === 1 ? placeOf(event) : undefined;
  });
  on('pointermove', (event) => {
    const place = placeOf(event);
    if (!held.has(event.pointerId)) {
      gestures.point(place);
      return;
    }
    if (start && Math.hypot(place.x - start.x, place.y - start.y) < SLACK) return;
    if (start) gestures.point(undefined);
    start = undefined;
    element.classList.add('grabbing');
    drag(held, event.pointerId, place, gestures);
  });
  const release = (event: PointerEvent) => {
    const place = placeOf(event);
    if (held.delete(event.pointerId) && start && event.type === 'pointerup' && event.button === 0)
      gestures.press(place);
    start = undefined;
    if (held.size === 0) element.classList.remove('grabbing');
  };
  on('pointerup', release);
  on('pointercancel', release);
  on('pointerleave', () => gestures.point(undefined));
  on('dblclick', (event) => gestures.open(placeOf(event)));
  on('wheel', (event) => wheel(event, placeOf(event), gestures));
}

/** One finger pans; two also zoom about the point between them. */
function drag(held: Map<number, Place>, id: number, place: Place, gestures: Gestures): void {
  const before = held.get(id) as Place;
  held.set(id, place);
  const other = [...held].find(([key]) => key !== id)?.[1];
  if (!other) {
    gestures.pan(place.x - before.x, place.y - before.y);
    return;
  }
  const stretch = distance(place, other) / Math.max(1, distance(before, other));
  gestures.pan((place.x - before.x) / 2, (place.y - before.y) / 2);
  gestures.zoom((place.x + other.x) / 2, (place.y + other.y) / 2, stretch);
}

const distance = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y);

/** The wheel pans; with Ctrl or ⌘ it zooms. Pinching a touchpad sends Ctrl as well. */
function wheel(event: WheelEvent, { x, y }: Place, gestures: Gestures): void {
  event.preventDefault();
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
  if (event.ctrlKey || event.metaKey) gestures.zoom(x, y, Math.exp(-Math.max(-60, Math.min(60, dy)) / 120));
  else if (event.shiftKey && dx === 0) gestures.pan(-dy, 0);
  else gestures.pan(-dx, -dy);
}
