let registry: FinalizationRegistry<() => unknown> | undefined;

/** Calls `end` once `object` has been collected, unless it is `remembered` before; what `end` reaches must not reach the object. */
export function onForgotten<T extends object>(object: T, end: () => unknown): T {
  registry ??= new FinalizationRegistry((forgotten) => forgotten());
  registry.register(object, end, object);
  return object;
}

/** The object has ended in the way that it should. */
export const remembered = (object: object): unknown => registry?.unregister(object);
