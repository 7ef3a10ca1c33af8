import { type ModelBuilder, modelBuilder } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import type { SessionOptions } from '../../src/session/options.js';

/** The graph as it is built, and as it is rewritten. */
export const STAGES: Readonly<Record<string, SessionOptions>> = {
  raw: { graphOptimizationLevel: 'disabled' },
  optimized: {},
};

/** The same model as one session per stage. */
export async function sessionsOf(build: (b: ModelBuilder) => void, opset = 21): Promise<[string, InferenceSession][]> {
  return Promise.all(
    Object.entries(STAGES).map(async ([stage, options]): Promise<[string, InferenceSession]> => {
      const b = modelBuilder({ opset, opsets: { 'ai.onnx.ml': 3 } });
      build(b);
      return [stage, await InferenceSession.create(b.toBytes(), options)];
    }),
  );
}
