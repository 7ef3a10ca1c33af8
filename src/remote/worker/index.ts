export type { MemoryPlan, PlacedBuffer, PlacedValue } from '../../backends/memory-plan.js';
export type { StepTiming, ThreadTiming } from '../../backends/step-timing.js';
export { type ErrorCode, type ErrorPlace, SardonyxError } from '../../base/errors.js';
export type { ValueMetadata } from '../../graph/metadata.js';
export type { OptimizationLevel } from '../../optimize/options.js';
export type { Feeds } from '../../session/feeds.js';
export type { Fetches, Results } from '../../session/inference-session.js';
export { env, type SessionOptions } from '../../session/options.js';
export type { Capture, RunOptions } from '../../session/run-options.js';
export type { AnyOutputs, AnyValues, Signature } from '../../session/signature.js';
export type { State, StateOptions } from '../../session/state/options.js';
export type { WarmUp } from '../../session/warm-up.js';
export type { DataOf, ElementData, ElementType, TypedArray } from '../../tensor/element-types.js';
export {
  Tensor,
  type TensorConstructor,
  type TensorData,
  type TensorInput,
  type TypedTensor,
} from '../../tensor/tensor.js';
export type { HostValue, TensorValue } from '../../tensor/tensor-value.js';
export type { PortableSource } from './portable.js';
export {
  WorkerSession as InferenceSession,
  type WorkerSessionOptions,
} from './worker-session.js';
export type { WorkerState as SessionState } from './worker-state.js';
