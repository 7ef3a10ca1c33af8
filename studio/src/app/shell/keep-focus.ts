const FOCUSABLE = 'button, input, select, textarea, summary, a[href], [tabindex="0"]';
/** Regions of related elements: focus that is lost in one stays in it, if possible. */
const REGIONS = 'dialog, aside, section, nav, header, main, [role="log"], [role="dialog"]';
const GRAPH = '[role="tree"]';
/** Number of previously focused places to return to. */
const REMEMBERED = 32;

const canTake = (element: HTMLElement): boolean =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled');

/** A focused element, and the regions around it, innermost first. */
interface Place {
  readonly element: HTMLElement;
  readonly around: readonly Element[];
}

function placeOf(element: HTMLElement): Place {
  const around: Element[] = [];
  for (let region = element.closest(REGIONS); region; region = region.parentElement?.closest(REGIONS) ?? null)
    around.push(region);
  return { element, around };
}

const among = (region: Element): HTMLElement | undefined =>
  [region.querySelector<HTMLElement>(GRAPH), ...region.querySelectorAll<HTMLElement>(FOCUSABLE)]
    .filter((element) => element !== null)
    .find(canTake);

/**
 * Keeps the focus for keyboard users: when the focused element is removed or disabled, the first focusable element in its region gets the
 * focus, else the one focused before it, else the graph.
 */
export function keepFocus(): void {
  let places: readonly Place[] = [];
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) places = [placeOf(target), ...places].slice(0, REMEMBERED);
  });
  const successor = ([lost, ...before]: readonly Place[]): HTMLElement | undefined =>
    lost?.around.filter((region) => region.isConnected).map(among)[0] ??
    before.map(({ element }) => element).find(canTake) ??
    among(document.body);
  let isAwaited = false;
  const restore = () => {
    if (isLost(places[0])) successor(places)?.focus();
  };
  const look = () => {
    isAwaited = false;
    // The replacement exists after the next frame.
    if (isLost(places[0])) requestAnimationFrame(() => requestAnimationFrame(restore));
  };
  new MutationObserver(() => {
    if (isAwaited || places.length === 0) return;
    isAwaited = true;
    // Checking at once would force a layout at each change.
    requestAnimationFrame(look);
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden'],
  });
}

const isLost = (place: Place | undefined): boolean =>
  place !== undefined && !canTake(place.element) && [null, document.body, place.element].includes(activeElement());

const activeElement = () => document.activeElement as HTMLElement | null;
