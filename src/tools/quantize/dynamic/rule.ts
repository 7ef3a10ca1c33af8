import type { NodeProto } from '../../../../build/onnx.js';
import type { Constant, Scope } from '../graphs.js';
import type { Desk } from './desk.js';

/** Quantizes the nodes of an operator. */
export interface Rule {
  readonly domain?: string;
  /** The weight of a node; undefined if the node cannot be quantized. */
  weight(node: NodeProto, scope: Scope): Constant | undefined;
  /** Returns the replacement of a node. */
  quantize(desk: Desk, scope: Scope, node: NodeProto, weight: Constant): Promise<NodeProto[]>;
}
