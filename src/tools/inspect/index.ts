export { type Inspection, type InspectOptions, inspectModel, type NodeFacts } from './inspect-model.js';
export type { ModelSummary, OperatorCount, Weights } from './summarize.js';
