export { FITS, type Fit } from '../image/fit.js';
