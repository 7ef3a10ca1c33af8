import type { GraphProto } from '../../../build/onnx.js';
import { constantsOf } from './bodies.js';
import { neededFor } from './needed.js';
import { quoted, refused } from './refuse.js';

/** Throws if the part depends on other inputs of the model. */
export function refuseMissing(graph: GraphProto, inputs: readonly string[], outputs: readonly string[]): void {
  const { names } = neededFor(graph, outputs, new Set(inputs));
  const open = graph.input.filter(({ name }) => names.has(name) && !inputs.includes(name));
  const constants = new Set(constantsOf(graph));
  const missing = open.filter(({ name }) => !constants.has(name)).map(({ name }) => name);
  if (missing.length === 0) return;
  throw refused(
    `${quoted(outputs)} also depend on ${quoted(missing)}; add these to inputs, or values computed from them`,
  );
}
