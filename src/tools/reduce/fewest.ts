/** Whether some items of a list, in its order, are enough. */
export type IsEnough<T> = (kept: readonly T[]) => Promise<boolean>;

/** Returns items next to an item. If an item is needed, its neighbors often are, too. */
export type Neighbors<T> = (item: T) => Iterable<T>;

/** The maximum number of remaining items for which each is tested for being superfluous. */
const ASKED_ONE_BY_ONE = 32;

/**
 * Finds a minimal list of items that is enough, given that all are. The shortest prefix that is enough ends with a
 * needed item. The items before it are searched in the same way, nearest last, until the found items are enough. For k
 * needed of n items, this takes at most k · (log2 n + 2) tests. The result always passed the test.
 */
export async function fewest<T>(
  items: readonly T[],
  ask: IsEnough<T>,
  neighbors: Neighbors<T> = () => [],
): Promise<readonly T[]> {
  const isEnough = askedOnce(items, ask);
  let needed: readonly T[] = [];
  let rest = items;
  while (rest.length > 0 && !(await isEnough(needed))) {
    const count = await shortest(rest.length, needed.length > 0, (n) => isEnough([...rest.slice(0, n), ...needed]));
    needed = [...rest.slice(count - 1, count), ...needed];
    rest = nearestLast(rest.slice(0, count - 1), needed, neighbors);
  }
  return needed.length > ASKED_ONE_BY_ONE ? needed : withoutSuperfluous(needed, isEnough);
}

/** The least positive number that is enough, given that `most` is. */
async function shortest(most: number, isClose: boolean, isEnough: (n: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, most];
  let middle = isClose ? high - 1 : high >> 1;
  while (high - low > 1) {
    if (await isEnough(middle)) high = middle;
    else low = middle;
    middle = (low + high) >> 1;
  }
  return high;
}

function nearestLast<T>(rest: readonly T[], needed: readonly T[], neighbors: Neighbors<T>): readonly T[] {
  const far = new Set(rest);
  const near: T[] = [];
  const open = [...needed];
  for (const item of open)
    for (const other of neighbors(item))
      if (far.delete(other)) {
        near.push(other);
        open.push(other);
      }
  return [...far, ...near.reverse()];
}

/**
 * Removes items that are not needed. An item that was needed with all others may be superfluous without some of them.
 */
async function withoutSuperfluous<T>(items: readonly T[], isEnough: IsEnough<T>): Promise<readonly T[]> {
  let left = items;
  for (const item of items) {
    const others = left.filter((other) => other !== item);
    if (await isEnough(others)) left = others;
  }
  return left;
}

function askedOnce<T>(items: readonly T[], ask: IsEnough<T>): IsEnough<T> {
  const numbers = new Map(items.map((item, i) => [item, i]));
  const answers = new Map<string, Promise<boolean>>();
  return (kept) => {
    const order = kept.map((item) => numbers.get(item) as number).sort((a, b) => a - b);
    const key = order.join();
    const answer = answers.get(key) ?? ask(order.map((i) => items[i] as T));
    answers.set(key, answer);
    return answer;
  };
}
