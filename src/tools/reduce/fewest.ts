/** Whether a part of a list, in its order, is enough. */
export type IsEnough<T> = (kept: readonly T[]) => Promise<boolean>;

/** What stands beside an item: where one is needed, others beside it often are. */
export type Neighbors<T> = (item: T) => Iterable<T>;

/** Beyond so many that are left, nobody asks whether one of them has become superfluous. */
const ASKED_ONE_BY_ONE = 32;

/**
 * As few items as are enough, where all are. The shortest beginning of the list that is enough ends with an item that is needed;
 * what is before it is searched likewise, the nearest last, until those found are enough by themselves: of n items of which k
 * are needed, k · (log2 n + 2) questions at most. Whatever the answers are, the result was found to be enough.
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

/** The least number above 0 that is enough, where `most` is. */
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

/** Needed beside all others does not mean needed: answers may depend on each other. */
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
