// onnxruntime-node, as it lies in bench/.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TensorValue } from '../../src/tensor/tensor-value.js';

export interface Runtime {
  readonly InferenceSession: {
    create(
      model: Uint8Array,
      options: object,
    ): Promise<{
      run(feeds: Record<string, unknown>, places?: Record<string, unknown>): Promise<Record<string, TensorValue>>;
      release(): Promise<void>;
    }>;
  };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => unknown;
}

const BENCH = new URL('../../bench/', import.meta.url);

export const runtime = createRequire(new URL('package.json', BENCH))('onnxruntime-node') as Runtime;

export const { version } = JSON.parse(
  readFileSync(new URL('node_modules/onnxruntime-node/package.json', BENCH), 'utf8'),
) as { version: string };

/** On one thread, and silent but for errors. */
export const OPTIONS = { intraOpNumThreads: 1, logSeverityLevel: 3 };
