// Random numbers.
export * from '../ops/generator/bernoulli.js';
export * from '../ops/generator/multinomial.js';
export * from '../ops/generator/random.js';
export * from '../ops/nn/dropout.js';
