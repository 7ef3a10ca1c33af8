const modules: Record<string, unknown> = {};

/** Registers modules by name, so that they need no loading on demand. */
export const keepAtHand = (kept: Readonly<Record<string, object>>): void => void Object.assign(modules, kept);

/** Returns a registered module, or loads and registers it. `load` is an `import()`, which service workers do not support. */
export async function atHandOr<T>(name: string, load: () => Promise<T>): Promise<T> {
  if (!(name in modules)) modules[name] = await load();
  return modules[name] as T;
}
