// What every model finds there.
export * from '../ops/index.js';

// After the operators: neighbours that are alike compress better.

export { lowerings } from '../backends/wasm/lower/index.js';
