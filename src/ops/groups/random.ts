// Random numbers.
export * from '../generator/bernoulli.js';
export * from '../generator/multinomial.js';
export * from '../generator/random.js';
