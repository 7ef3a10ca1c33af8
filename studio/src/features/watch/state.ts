import { computed, signal } from '@preact/signals';
import type { Axis, Overview, RunSummary, TagKind, TagSummary } from '../../workers/contracts/logs.js';

/** The content of the logs; null before any are opened. */
export const overview = signal<Overview | null>(null);

/** Folders of runs that are hidden. */
export const hidden = signal<ReadonlySet<string>>(new Set());

/** The text that tag names must contain. */
export const filter = signal('');

export const axis = signal<Axis>('step');
export const smoothing = signal(0.6);
export const isLogarithmic = signal(false);

/** Tags whose cards are pinned to the top. */
export const pinned = signal<ReadonlySet<string>>(new Set());

export function togglePin(tag: string): void {
  const next = new Set(pinned.value);
  if (!next.delete(tag)) next.add(tag);
  pinned.value = next;
}

/** Tabs by the kinds of values that they show. */
export const TABS = [
  { id: 'scalars', title: 'Scalars', kinds: ['scalar'] },
  { id: 'histograms', title: 'Histograms', kinds: ['histogram'] },
  { id: 'images', title: 'Images', kinds: ['image'] },
  { id: 'texts', title: 'Text', kinds: ['text'] },
  { id: 'hparams', title: 'Hyperparameters', kinds: [] },
  { id: 'curves', title: 'Curves', kinds: ['pr', 'roc'] },
  { id: 'projector', title: 'Projector', kinds: ['embedding'] },
  { id: 'sounds', title: 'Audio', kinds: ['audio'] },
] as const satisfies readonly { id: string; title: string; kinds: readonly TagKind[] }[];
export type TabId = (typeof TABS)[number]['id'];

const wanted = signal<TabId>('scalars');

export const tabs = computed(() =>
  TABS.filter(({ id, kinds }) =>
    id === 'hparams'
      ? overview.value?.runs.some(({ parameters }) => parameters?.values)
      : overview.value?.tags.some(({ kind }) => kinds.some((each) => each === kind)),
  ),
);

/** The tab in view: the chosen one, if the logs have values for it. */
export const tab = computed<TabId | undefined>(
  () => (tabs.value.find(({ id }) => id === wanted.value) ?? tabs.value[0])?.id,
);
export const choose = (id: TabId): void => {
  wanted.value = id;
};

export const visible = computed<readonly RunSummary[]>(
  () => overview.value?.runs.filter(({ folder }) => !hidden.value.has(folder)) ?? [],
);

/** Tags of a tab whose names match the filter, each with its visible runs. */
export function tagsOf(kinds: readonly TagKind[]): readonly TagSummary[] {
  const text = filter.value.toLowerCase();
  const seen = new Set(visible.value.map(({ folder }) => folder));
  return (overview.value?.tags ?? [])
    .filter(({ kind, tag }) => kinds.includes(kind) && tag.toLowerCase().includes(text))
    .map((each) => ({ ...each, runs: each.runs.filter((run) => seen.has(run)) }))
    .filter(({ runs }) => runs.length > 0);
}

export const nameOf = (run: string): string => overview.value?.runs.find(({ folder }) => folder === run)?.name ?? run;

/** Tags grouped by the part before the first slash, in their order; '' is the group without one. */
export function groupsOf(tags: readonly TagSummary[]): ReadonlyMap<string, readonly TagSummary[]> {
  const groups = new Map<string, TagSummary[]>();
  for (const each of tags) {
    const group = /^([^/]+)\//.exec(each.tag)?.[1] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return groups;
}
