import type { FunctionProto, OperatorSetIdProto } from '../../../../build/onnx.js';
import type { Body } from '../bodies.js';
import { type FreshName, freshNames, nodeNames, valueNames } from '../names.js';
import { type Opsets, opsetsOf } from './opsets.js';

/** A model or a function in which calls are expanded. Its graphs share names and imports. */
export interface Container {
  readonly freshValue: FreshName;
  readonly freshNode: FreshName;
  /** The imports, including those of inlined functions. */
  readonly opsets: Opsets;
  /** Whether each function has the same meaning here. */
  readonly agrees: Map<FunctionProto, boolean>;
}

export function containerOf(bodies: Iterable<Body>, imports: readonly OperatorSetIdProto[]): Container {
  const all = [...bodies];
  const [freshValue, freshNode] = [freshNames(valueNames(all)), freshNames(nodeNames(all))];
  return { freshValue, freshNode, opsets: opsetsOf(imports), agrees: new Map() };
}
