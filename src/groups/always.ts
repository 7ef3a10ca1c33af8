// Operators that are always loaded.

export { lowerings } from '../backends/wasm/lower/index.js';
export * from '../ops/index.js';
