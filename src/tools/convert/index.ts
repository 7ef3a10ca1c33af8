export { type ConvertOptions, convertVersion } from './convert-version.js';
export { ConversionError, type Obstacle } from './obstacle.js';
