import type { Overview, RunSummary, TagKind, TagSummary } from '../contracts/logs.js';
import type { Followed } from './sources.js';
import type { Run } from './store.js';

export function overviewOf(runs: readonly Run[], files: Iterable<Followed>): Overview {
  const all = [...files];
  const points = runs.flatMap(({ scalars }) => [...scalars.values()]).reduce((sum, { count }) => sum + count, 0);
  const shared = sharedFolder(runs.map(({ folder }) => folder));
  return {
    runs: runs.map((run) => summaryOf(run, shared)),
    tags: tagsOf(runs),
    problems: all.flatMap(problemsOf),
    points,
    isFollowed: all.some(({ grows }) => grows),
  };
}

/** The length of the longest common prefix of all paths, up to a slash. */
function sharedFolder(folders: readonly string[]): number {
  const [first = '', ...rest] = folders;
  if (rest.length === 0) return 0;
  let length = 0;
  while (length < first.length && rest.every((folder) => folder[length] === first[length])) length++;
  return first.lastIndexOf('/', length - 1) + 1;
}

const summaryOf = ({ folder, name, parameters, scalars, others }: Run, shared: number): RunSummary => ({
  folder,
  name: name === folder ? folder.slice(shared) : name,
  parameters,
  last: Object.fromEntries(Array.from(scalars, ([tag, { values, count }]) => [tag, values[count - 1] as number])),
  others: [...others.keys()],
});

function tagsOf(runs: readonly Run[]): TagSummary[] {
  const found = new Map<string, { kind: TagKind; tag: string; runs: string[] }>();
  const add = (kind: TagKind, tag: string, run: string) => {
    const key = `${kind} ${tag}`;
    const there = found.get(key) ?? { kind, tag, runs: [] };
    there.runs.push(run);
    found.set(key, there);
  };
  for (const { folder, scalars, large } of runs) {
    for (const tag of scalars.keys()) add('scalar', tag, folder);
    for (const [kind, tags] of large) for (const tag of tags.keys()) add(kind, tag, folder);
  }
  return [...found.values()].sort((a, b) => a.tag.localeCompare(b.tag, 'en', { numeric: true }));
}

function problemsOf({ log: { path, place, unreadable } }: Followed): string[] {
  return [
    ...(place.isBroken
      ? [`${path}: the record length at byte ${place.offset} is corrupt; the rest of the file is skipped`]
      : []),
    ...(place.damaged ? [`${path}: corrupt records skipped: ${place.damaged}`] : []),
    ...(unreadable ? [`${path}: records of another format skipped: ${unreadable}`] : []),
  ];
}
