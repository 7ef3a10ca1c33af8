type End<Given extends readonly unknown[]> = (...given: Given) => unknown;

let registry: FinalizationRegistry<readonly [End<never>, readonly unknown[]]> | undefined;

/**
 * Calls `end` once `object` has been collected, unless it is `remembered` before. What is given must not reach the object, so `end` is no
 * closure: those hold all that any closure around them needs, and minifiers make one scope of several.
 */
export function onForgotten<Given extends readonly unknown[]>(object: object, end: End<Given>, ...given: Given): void {
  registry ??= new FinalizationRegistry(([call, values]) => call(...(values as never)));
  registry.register(object, [end, given], object);
}

/** The object has ended in the way that it should. */
export const remembered = (object: object): unknown => registry?.unregister(object);
