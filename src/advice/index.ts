// Longer messages for errors and warnings, loaded only when there is one.
export * from './downloads.js';
export { unusedFiles } from './external.js';
export * from './feeds.js';
export { identify } from './identify.js';
export { noKernels } from './kernels.js';
export { raisedBy } from './limits.js';
export * from './near.js';
export * from './operators.js';
export * from './options.js';
export { unreadableFile } from './paths.js';
export { noSource } from './sources.js';
