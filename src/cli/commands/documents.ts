// Commands that read and write models.
export { checkCommand } from './check.js';
export { convertCommand } from './convert.js';
export { diffCommand } from './diff.js';
export { editCommand } from './edit.js';
export { exportCommand } from './export.js';
export { extractCommand } from './extract.js';
export { importCommand } from './import.js';
export { inferCommand } from './infer.js';
export { inlineCommand } from './inline.js';
export { mergeCommand } from './merge.js';
export { packCommand, unpackCommand } from './pack.js';
export { parseCommand } from './parse.js';
export { printCommand } from './print.js';
export { simplifyCommand } from './simplify.js';
