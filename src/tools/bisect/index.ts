export { type Bisection, type BisectOptions, bisectRewrites, type Cause } from './bisect-rewrites.js';
