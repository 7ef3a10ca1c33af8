export type { Backend, Candidate, Computation, Executor } from './backends/backend.js';
export type { MemoryPlan, PlacedBuffer, PlacedValue } from './backends/memory-plan.js';
export type { PlanExplanation, PlanGuard } from './backends/plan-explanation.js';
export type { StepTiming, ThreadTiming } from './backends/step-timing.js';
export { type ErrorCode, type ErrorPlace, SardonyxError } from './base/errors.js';
export type { ValueMetadata } from './graph/metadata.js';
export type { Limits, RunLimits } from './limits.js';
export type { LoadProgress } from './loading/progress.js';
export type { DataSource, ExternalFile, KeptFile } from './loading/source.js';
export type { OptimizationLevel } from './optimize/options.js';
export type { Feeds } from './session/feeds.js';
export { type Fetches, InferenceSession, type Results } from './session/inference-session.js';
export type { ModelSource } from './session/open-model.js';
export { env, type SessionOptions } from './session/options.js';
export type { ExecutionProvider, Placement } from './session/providers.js';
export type { Capture, RunOptions } from './session/run-options.js';
export type { AnyOutputs, AnyValues, Signature } from './session/signature.js';
export type { State, StateOptions } from './session/state/options.js';
export type { SessionState } from './session/state/state.js';
export type { WarmUp } from './session/warm-up.js';
export type { DataOf, ElementData, ElementType, TypedArray } from './tensor/element-types.js';
export {
  Tensor,
  type TensorConstructor,
  type TensorData,
  type TensorInput,
  type TypedTensor,
} from './tensor/tensor.js';
export type { HostValue, TensorValue } from './tensor/tensor-value.js';
