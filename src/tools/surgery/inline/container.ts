import type { FunctionProto, OperatorSetIdProto } from '../../../../build/onnx.js';
import type { Body } from '../bodies.js';
import { type FreshName, freshNames, nodeNames, valueNames } from '../names.js';
import { type Opsets, opsetsOf } from './opsets.js';

/** What calls are expanded in: a model or a function, whose names and imports its graphs share. */
export interface Container {
  readonly freshValue: FreshName;
  readonly freshNode: FreshName;
  /** What it imports, with what inlined functions do. */
  readonly opsets: Opsets;
  /** Whether a function means here what it says. */
  readonly agrees: Map<FunctionProto, boolean>;
}

export function containerOf(bodies: Iterable<Body>, imports: readonly OperatorSetIdProto[]): Container {
  const all = [...bodies];
  const [freshValue, freshNode] = [freshNames(valueNames(all)), freshNames(nodeNames(all))];
  return { freshValue, freshNode, opsets: opsetsOf(imports), agrees: new Map() };
}
