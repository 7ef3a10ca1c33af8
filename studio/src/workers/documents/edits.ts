export { applyChange } from './apply-change.js';
export { issuesOf } from './issues-of.js';
export { asOneFile, asZip, filesOf, intoFolder } from './written.js';
