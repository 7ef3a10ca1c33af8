const modules: Record<string, unknown> = {};

/** Modules that need not be loaded when they are asked for, by the names under which they are. */
export const keepAtHand = (kept: Readonly<Record<string, object>>): void => void Object.assign(modules, kept);

/** The module of that name, if it is already loaded, or else by `load`: `import()`, which service workers do not support. */
export const atHandOr = async <T>(name: string, load: () => Promise<T>): Promise<T> =>
  name in modules ? (modules[name] as T) : load();
