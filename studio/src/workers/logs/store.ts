import type { Entry, HyperParameters, Large, Of } from '../contracts/log-entries.js';
import { addPoint, type Columns, noPoints } from './columns.js';
import { type Kept, keep, nothingKept } from './kept.js';

/** All data from the files in one folder. */
export interface Run {
  readonly folder: string;
  /** The run's own name, or its folder's. */
  name: string;
  readonly scalars: Map<string, Columns>;
  readonly large: Map<Large, Map<string, Kept<Entry>>>;
  parameters: HyperParameters | undefined;
  /** The number of entries of each kind that no panel shows. */
  readonly others: Map<string, number>;
}

export const newRun = (folder: string): Run => ({
  folder,
  name: folder,
  scalars: new Map(),
  large: new Map(),
  parameters: undefined,
  others: new Map(),
});

function found<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

export function addEntry(run: Run, entry: Entry): void {
  if (entry.kind === 'scalar') addPoint(found(run.scalars, entry.tag, noPoints), entry.step, entry.wall, entry.value);
  else if (entry.kind === 'hparams') run.parameters = { ...run.parameters, ...given(entry) };
  else if (entry.kind === 'name') run.name = entry.name || run.folder;
  else if (entry.kind === 'other') run.others.set(entry.what, (run.others.get(entry.what) ?? 0) + 1);
  else keep(keptOf(run, entry.kind, entry.tag), owned(entry));
}

const keptOf = (run: Run, kind: Large, tag: string): Kept<Entry> =>
  found(
    found(run.large, kind, () => new Map<string, Kept<Entry>>()),
    tag,
    () => nothingKept<Entry>(),
  );

const given = ({ kind, values, metrics, status }: Of<'hparams'>): HyperParameters => ({
  kind,
  ...(values && { values }),
  ...(metrics && { metrics }),
  ...(status && { status }),
});

/** Copies the data: views would keep the whole buffer alive. */
function owned(entry: Entry): Entry {
  if (entry.kind === 'image') return { ...entry, files: entry.files.map((file) => file.slice()) };
  if (entry.kind === 'audio') return { ...entry, sounds: entry.sounds.map((sound) => sound.slice()) };
  return entry;
}
