// Blocks of a map's places turned into channels, and back.
export * from '../tensor/depth-to-space.js';
