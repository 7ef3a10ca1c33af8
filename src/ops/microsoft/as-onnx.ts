import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';

/** The inputs of a node, `null` where one is left out. */
export const givenInputs = (c: Decomposition<unknown>): (Value | null)[] =>
  Array.from({ length: c.inputCount }, (_, i) => (c.given(i) ? c.input(i) : null));

/** Says a node of com.microsoft by ONNX's operator of that name, whose newest version has the same inputs and attributes. */
export const asOnnx =
  (name: string) =>
  (c: Decomposition<unknown>): Value[] =>
    c.emit(name, givenInputs(c), c.node.attributes, c.outputCount);
