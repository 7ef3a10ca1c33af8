/** Whether a list meets the requirement. */
export type Passes<T> = (list: readonly T[]) => Promise<boolean>;

/** Finds a short list that passes: the shortest prefix by bisection, without unneeded items. `all` must pass. */
export async function shortList<T>(all: readonly T[], passes: Passes<T>, isOver: () => boolean): Promise<readonly T[]> {
  let [failing, passing] = [-1, all.length];
  while (passing - failing > 1 && !isOver()) {
    const middle = Math.floor((failing + passing) / 2);
    if (await passes(all.slice(0, middle))) passing = middle;
    else failing = middle;
  }
  return needed(all.slice(0, passing), passes, isOver);
}

/** Removes pieces of decreasing size as long as the list still passes. */
async function needed<T>(list: readonly T[], passes: Passes<T>, isOver: () => boolean): Promise<readonly T[]> {
  let left = list;
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let end = left.length; end > 0 && left.length > 1 && !isOver(); end -= size) {
      const fewer = [...left.slice(0, Math.max(end - size, 0)), ...left.slice(end)];
      if (await passes(fewer)) left = fewer;
    }
  return left;
}
