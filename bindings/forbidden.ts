/** Messages of engines where WebAssembly is forbidden: V8 (by a policy, by its embedder), Firefox, Safari. */
const FORBIDDEN = /unsafe-eval|disallowed by embedder|blocked by CSP|Content Security Policy/i;

/** Whether a policy is why a module could not be compiled, or, as Safari has it, not be instantiated. */
export const isForbidden = (error: unknown): boolean => FORBIDDEN.test((error as Error | null)?.message ?? '');
