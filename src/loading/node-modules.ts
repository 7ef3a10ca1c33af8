interface NodeModules {
  readonly 'node:fs': typeof import('node:fs');
  readonly 'node:path': typeof import('node:path');
  readonly 'node:url': typeof import('node:url');
  readonly 'node:os': typeof import('node:os');
  readonly 'node:crypto': typeof import('node:crypto');
}

/** A module of Node, Deno or Bun; undefined elsewhere. Bundlers for browsers see nothing of it. */
export function nodeModule<K extends keyof NodeModules>(name: K): NodeModules[K] | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as NodeModules[K] | undefined;
}
