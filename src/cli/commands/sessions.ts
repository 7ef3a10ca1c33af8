// Commands that run models.
export { benchCommand } from './bench.js';
export { calibrateCommand } from './calibrate.js';
export { compareCommand } from './compare.js';
export { conformanceCommand } from './conformance.js';
export { debugCommand } from './debug.js';
export { float16Command } from './float16.js';
export { inspectCommand } from './inspect.js';
export { optimizeCommand } from './optimize.js';
export { quantizeCommand } from './quantize.js';
export { runCommand } from './run.js';
export { studioCommand } from './studio.js';
export { verifyCommand } from './verify.js';
