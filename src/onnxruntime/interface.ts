export { SardonyxError } from '../errors.js';
export { backend } from './backend.js';
export { type Backend, type InferenceSessionHandler, registerBackend } from './backends.js';
export { type Env, env, type WasmFlags } from './env.js';
export type { ImageOptions, ImageSource } from './images.js';
export { type FileType, InferenceSession, type InferenceSessionFactory } from './inference-session.js';
export { Tensor, type Tensor as OnnxValue, type TensorConstructor, type TypedTensor } from './tensor.js';
