interface Builtins {
  crypto: typeof import('node:crypto');
  fs: typeof import('node:fs');
  module: typeof import('node:module');
  os: typeof import('node:os');
  path: typeof import('node:path');
  url: typeof import('node:url');
  worker_threads: typeof import('node:worker_threads');
}

/** One of Node's modules, which Deno and Bun have too. Looked up at run time, so that bundlers for browsers do not resolve it. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  return globalThis.process?.getBuiltinModule?.(`node:${name}`) as Builtins[Name] | undefined;
}
