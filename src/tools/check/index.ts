export { assertModel, checkModel, InvalidModelError } from './check-model.js';
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
export type { Issue, IssueCode } from './issue.js';
export type { CheckOptions } from './options.js';
