import type { NodeProto } from '../../../../build/onnx.js';
import type { Constant, Scope } from '../graphs.js';
import type { Desk } from './desk.js';

/** How one type of operators is quantized. */
export interface Rule {
  readonly domain?: string;
  /** The weight that it is quantized for; none where it cannot be. */
  weight(node: NodeProto, scope: Scope): Constant | undefined;
  /** What takes its place. */
  quantize(desk: Desk, scope: Scope, node: NodeProto, weight: Constant): Promise<NodeProto[]>;
}
