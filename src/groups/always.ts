// What every model finds there.

export { lowerings } from '../backends/wasm/lower/index.js';
export * from '../ops/index.js';
