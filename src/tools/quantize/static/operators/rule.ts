import type { NodeProto } from '../../../../../build/onnx.js';
import type { Bench } from './held.js';

/** Returns the replacement of a node; undefined if it stays unchanged. */
export type Rule = (bench: Bench, node: NodeProto) => Promise<NodeProto[] | undefined> | NodeProto[] | undefined;
