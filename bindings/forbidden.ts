/** Messages of engines that forbid WebAssembly: V8 (by a policy or its embedder), Firefox, Safari. */
const FORBIDDEN = /unsafe-eval|disallowed by embedder|blocked by CSP|Content Security Policy/i;

/** Whether a policy has prevented compiling a module, or in Safari instantiating one. */
export const isForbidden = (error: unknown): boolean => FORBIDDEN.test((error as Error | null)?.message ?? '');
