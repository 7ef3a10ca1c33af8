const modules: Record<string, unknown> = {};

/** Registers modules by name, so that they need no loading on demand. */
export const keepAtHand = (kept: Readonly<Record<string, object>>): void => void Object.assign(modules, kept);

/** Returns a registered module, or loads it with `load`, an `import()`, which service workers do not support. */
export const atHandOr = async <T>(name: string, load: () => Promise<T>): Promise<T> =>
  name in modules ? (modules[name] as T) : load();
