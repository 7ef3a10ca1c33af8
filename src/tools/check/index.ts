export { assertModel, checkModel } from './check-model.js';
export {
  checkAttribute,
  checkFunction,
  checkGraph,
  checkNode,
  checkSparseTensor,
  checkTensor,
  checkValueInfo,
  type PartOptions,
} from './check-part.js';
export { InvalidModelError } from './invalid-model-error.js';
export type { Issue, IssueCode } from './issue.js';
export type { CheckOptions } from './options.js';
