const modules: Record<string, unknown> = {};

/** Modules that need not be loaded when they are asked for, by the names under which they are. */
export const keepAtHand = (kept: Readonly<Record<string, object>>): void => void Object.assign(modules, kept);

/** A module of that name, if it is at hand, else by `load`: `import()`, which service workers refuse. */
export const atHandOr = async <T>(name: string, load: () => Promise<T>): Promise<T> =>
  name in modules ? (modules[name] as T) : load();
