/** Does `work` with another function in the place of `object[name]`. */
export async function replacing<O extends object, K extends keyof O, T>(
  object: O,
  name: K,
  replacement: O[K],
  work: () => Promise<T>,
): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(object, name) as PropertyDescriptor;
  Object.defineProperty(object, name, { ...own, value: replacement });
  try {
    return await work();
  } finally {
    Object.defineProperty(object, name, own);
  }
}

/** Calls that are refused, by their number. */
export interface Refusals {
  /** Calls so far. */
  calls: number;
  refused: number;
}

/** Does `work` while growing of linear memory is refused where `isRefused` says so of the number of the call, from 1. */
export async function refusingGrowth<T>(
  isRefused: (call: number) => boolean,
  work: (refusals: Refusals) => Promise<T>,
): Promise<T> {
  const refusals: Refusals = { calls: 0, refused: 0 };
  const { grow } = WebAssembly.Memory.prototype;
  function growOrNot(this: WebAssembly.Memory, pages: number): number {
    refusals.calls++;
    if (!isRefused(refusals.calls)) return grow.call(this, pages);
    refusals.refused++;
    throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
  }
  return replacing(WebAssembly.Memory.prototype, 'grow', growOrNot, () => work(refusals));
}
