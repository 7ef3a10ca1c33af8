// Random numbers.
export * from '../generator/bernoulli.js';
export * from '../generator/multinomial.js';
export * from '../generator/random.js';
export * from '../nn/dropout.js';
