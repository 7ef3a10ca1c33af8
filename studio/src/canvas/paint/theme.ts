import { CATEGORIES } from '../../graph/outline.js';
import { hexadecimal, mixed, readableOn } from './color.js';

/** The colours of a drawing, all as `#rrggbb`. */
export interface Theme {
  readonly background: string;
  /** Colours of open modules, alternating with depth. */
  readonly frames: readonly [string, string];
  readonly frameBorder: string;
  readonly node: string;
  readonly module: string;
  readonly nodeBorder: string;
  readonly text: string;
  readonly muted: string;
  readonly edge: string;
  readonly upstream: string;
  readonly downstream: string;
  readonly selection: string;
  readonly focus: string;
  /** By category index; `specks` fill whole boxes that are too small for a stripe. */
  readonly categories: readonly string[];
  readonly specks: readonly string[];
  /** Backgrounds of nodes, behind their text. */
  readonly tints: readonly string[];
  readonly heat: readonly string[];
  /** Text colour on each step of `heat`. */
  readonly heatText: readonly string[];
  readonly badges: readonly string[];
  readonly badgeText: readonly string[];
  readonly font: string;
}

/** Share of the category colour in a node's colour, low enough for readable text in each theme. */
const TINT = 0.22;

export const HEAT_STEPS = 9;
const BADGE_NAMES = ['error', 'nan', 'captured', 'added', 'removed', 'changed', 'found'] as const;

/** Reads the host's custom properties, once per theme. */
export function themeOf(host: HTMLElement): Theme {
  const probe = host.appendChild(document.createElement('span'));
  probe.hidden = true;
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return hexadecimal(getComputedStyle(probe).color);
  };
  const theme = coloursBy(colour, getComputedStyle(host).fontFamily);
  probe.remove();
  return theme;
}

function coloursBy(colour: (name: string) => string, font: string): Theme {
  const node = colour('graph-node');
  const text = colour('graph-text');
  const categories = CATEGORIES.map((name) => colour(`cat-${name}`));
  const [cold, hot] = [colour('heat-0'), colour('heat-1')];
  const heat = Array.from({ length: HEAT_STEPS }, (_, step) => mixed(cold, hot, step / (HEAT_STEPS - 1)));
  const badges = BADGE_NAMES.map((name) => colour(`badge-${name}`));
  const frames = [colour('graph-frame'), colour('graph-frame-inner')] as const;
  return {
    background: colour('graph-background'),
    frames,
    frameBorder: colour('graph-frame-border'),
    node,
    module: colour('graph-module'),
    nodeBorder: colour('graph-node-border'),
    text,
    muted: colour('graph-muted'),
    edge: colour('graph-edge'),
    upstream: colour('graph-upstream'),
    downstream: colour('graph-downstream'),
    selection: colour('graph-selection'),
    focus: colour('graph-focus'),
    categories,
    specks: categories.map((category) => mixed(category, node, 0.4)),
    tints: categories.map((category) => mixed(node, category, TINT)),
    heat,
    heatText: heat.map(readableOn),
    badges,
    badgeText: badges.map(readableOn),
    font,
  };
}

/** Calls `changed` when the theme of the page or system changes; returns a function that stops watching. */
export function watchTheme(changed: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'].map((query) =>
    matchMedia(query),
  );
  for (const query of queries) query.addEventListener('change', changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] });
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
    observer.disconnect();
  };
}
