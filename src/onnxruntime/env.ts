import { type WasmOptions, wasmOptions } from '../../bindings/wasm-options.js';
import { version } from '../../package.json';
import type { Global } from './tensor.js';

export declare namespace Env {
  type WasmPathPrefix = string;
  interface WasmFilePaths {
    wasm?: URL | string;
    mjs?: URL | string;
  }
  type WasmPrefixOrFilePaths = WasmPathPrefix | WasmFilePaths;
  /** Sardonyx's and onnxruntime-web's settings. Of the latter, `numThreads` and `proxy` have an effect. */
  interface WebAssemblyFlags extends Partial<Omit<WasmOptions, 'wasmPaths' | 'wasmBinary'>> {
    /** Runs sessions in a worker. */
    proxy?: boolean;
    simd?: boolean | 'fixed' | 'relaxed';
    trace?: boolean;
    initTimeout?: number;
    /** Location of onnxruntime's own files, which Sardonyx does not need. Its kernels' location is `source`. */
    wasmPaths?: WasmPrefixOrFilePaths;
    wasmBinary?: ArrayBufferLike | Uint8Array;
  }
  /** No effect, like all of `WebGpuFlags`. */
  interface WebGLFlags {
    contextId?: 'webgl' | 'webgl2';
    readonly context: WebGLRenderingContext;
    matmulMaxBatchSize?: number;
    textureCacheMode?: 'initializerOnly' | 'full';
    pack?: boolean;
    async?: boolean;
  }
  interface WebGpuProfilingDataV1TensorMetadata {
    dims: readonly number[];
    dataType: string;
  }
  interface WebGpuProfilingDataV1 {
    version: 1;
    inputsMetadata: readonly WebGpuProfilingDataV1TensorMetadata[];
    outputsMetadata: readonly WebGpuProfilingDataV1TensorMetadata[];
    kernelId: number;
    kernelType: string;
    kernelName: string;
    programName: string;
    startTime: number;
    endTime: number;
  }
  type WebGpuProfilingData = WebGpuProfilingDataV1;
  interface WebGpuFlags {
    profilingMode?: 'off' | 'default';
    profiling: { mode?: 'off' | 'default'; ondata?: (data: WebGpuProfilingData) => void };
    powerPreference?: 'low-power' | 'high-performance';
    forceFallbackAdapter?: boolean;
    adapter: Global<'GPUAdapter'>;
    get device(): Promise<Global<'GPUDevice'>>;
    set device(value: Global<'GPUDevice'>);
    validateInputContent?: boolean;
  }
}

export interface Env {
  logLevel?: 'verbose' | 'info' | 'warning' | 'error' | 'fatal';
  debug?: boolean;
  trace?: boolean;
  readonly versions: {
    readonly common: string;
    readonly sardonyx: string;
    readonly web?: string;
    readonly node?: string;
    readonly 'react-native'?: string;
  };
  readonly wasm: Env.WebAssemblyFlags;
  readonly webgl: Env.WebGLFlags;
  readonly webgpu: Env.WebGpuFlags;
  [name: string]: unknown;
}

/** Sardonyx's own settings, without those whose names locate onnxruntime's files. */
const wasm: Env.WebAssemblyFlags = { proxy: false, trace: false, initTimeout: 0 };
for (const name of ['source', 'workerUrl', 'sessionWorkerUrl', 'variant', 'numThreads'] as const)
  Object.defineProperty(wasm, name, {
    enumerable: true,
    get: () => wasmOptions[name],
    set: (value: never) => {
      wasmOptions[name] = value;
    },
  });

/** Settings for all sessions created from now on. Kernels and threads also apply to `sardonyx`. */
export const env: Env = {
  wasm,
  webgl: {} as Env.WebGLFlags,
  webgpu: { profiling: {} } as Env.WebGpuFlags,
  // No version of `web`, for which transformers.js would load onnxruntime-web's files.
  versions: { common: '1.30.0', sardonyx: version },
  logLevel: 'warning',
};
