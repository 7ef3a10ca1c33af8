// Random numbers.

export { dropouts as lowerings } from '../backends/wasm/lower/dropout.js';
export * from '../ops/generator/bernoulli.js';
export * from '../ops/generator/multinomial.js';
export * from '../ops/generator/random.js';
export { dropout } from '../ops/nn/dropout.js';
