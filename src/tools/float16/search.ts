/** Whether a list does what is asked of it. */
export type Passes<T> = (list: readonly T[]) => Promise<boolean>;

/** A short list that passes: the shortest beginning, if longer ones pass where shorter do, and of that what is needed. All must pass. */
export async function shortList<T>(all: readonly T[], passes: Passes<T>, isOver: () => boolean): Promise<readonly T[]> {
  let [failing, passing] = [-1, all.length];
  while (passing - failing > 1 && !isOver()) {
    const middle = Math.floor((failing + passing) / 2);
    if (await passes(all.slice(0, middle))) passing = middle;
    else failing = middle;
  }
  return needed(all.slice(0, passing), passes, isOver);
}

/** The list without the pieces, smaller and smaller ones, that it passes without. */
async function needed<T>(list: readonly T[], passes: Passes<T>, isOver: () => boolean): Promise<readonly T[]> {
  let left = list;
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let end = left.length; end > 0 && left.length > 1 && !isOver(); end -= size) {
      const fewer = [...left.slice(0, Math.max(end - size, 0)), ...left.slice(end)];
      if (await passes(fewer)) left = fewer;
    }
  return left;
}
