import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';

/** Inputs of a node; `null` for one that is omitted. */
export const givenInputs = (c: Decomposition<unknown>): (Value | null)[] =>
  Array.from({ length: c.inputCount }, (_, i) => (c.given(i) ? c.input(i) : null));

/** Replaces a node of com.microsoft by ONNX's operator `name`, whose newest version has the same inputs and attributes. */
export const asOnnx =
  (name: string) =>
  (c: Decomposition<unknown>): Value[] =>
    c.emit(name, givenInputs(c), c.node.attributes, c.outputCount);
