import type { NodeProto } from '../../../../../build/onnx.js';
import type { Bench } from './held.js';

/** What takes a node's place; nothing where it stays as it is. */
export type Rule = (bench: Bench, node: NodeProto) => Promise<NodeProto[] | undefined> | NodeProto[] | undefined;
