import { SardonyxError } from '../../../base/errors.js';
import type { Size } from '../../../graph/sizes.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { refuse } from './draft.js';

/** TensorFlow's protobuf messages in the JSON form of TensorFlow.js. */
export interface ShapeDef {
  readonly unknownRank?: boolean;
  readonly dim?: readonly { readonly size?: number | string }[];
}
type Bytes = string | readonly number[];
interface ListDef {
  readonly s?: readonly Bytes[];
  readonly i?: readonly (number | string)[];
  readonly shape?: readonly ShapeDef[];
}
export interface AttrDef {
  readonly s?: Bytes;
  readonly i?: number | string;
  readonly f?: number | string;
  readonly b?: boolean;
  readonly type?: string | number;
  readonly shape?: ShapeDef;
  readonly func?: { readonly name: string };
  readonly list?: ListDef;
}
export interface NodeDef {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: Readonly<Record<string, AttrDef>>;
}
interface ArgDef {
  readonly name: string;
  readonly type?: string | number;
}
export interface FunctionDef {
  readonly signature: {
    readonly name: string;
    readonly inputArg?: readonly ArgDef[];
    readonly outputArg?: readonly ArgDef[];
  };
  readonly nodeDef?: readonly NodeDef[];
  readonly ret?: Readonly<Record<string, string>>;
}
export interface GraphDef {
  readonly node: readonly NodeDef[];
  readonly library?: { readonly function?: readonly FunctionDef[] };
}
export interface TensorInfo {
  readonly name: string;
  readonly dtype?: string | number;
  readonly tensorShape?: ShapeDef;
}
export interface SignatureDef {
  readonly inputs?: Readonly<Record<string, TensorInfo>>;
  readonly outputs?: Readonly<Record<string, TensorInfo>>;
}

/** Types by number and name. TensorFlow.js has a single integer and a single float type. */
const TYPES: readonly (readonly [number: number, names: string, type: ElementType])[] = [
  [1, 'DT_FLOAT', 'float32'],
  [2, 'DT_DOUBLE', 'float32'],
  [19, 'DT_HALF', 'float32'],
  [3, 'DT_INT32', 'int32'],
  [4, 'DT_UINT8', 'int32'],
  [5, 'DT_INT16', 'int32'],
  [6, 'DT_INT8', 'int32'],
  [9, 'DT_INT64', 'int32'],
  [7, 'DT_STRING', 'string'],
  [10, 'DT_BOOL', 'bool'],
];

export function elementOf(type: string | number): ElementType {
  const row = TYPES.find(([number, name]) => number === type || name === type || name === `DT_${type}`.toUpperCase());
  return row?.[2] ?? refuse(`ONNX does not support TensorFlow's type ${type}`);
}

/** Converts a shape. `name` names unknown sizes. */
export const dimsOf = (shape: ShapeDef | undefined, name: (axis: number) => Size): Size[] | undefined =>
  !shape || shape.unknownRank
    ? undefined
    : (shape.dim ?? []).map(({ size = 0 }, axis) => (Number(size) < 0 ? name(axis) : Number(size)));

export const typeOf = (element: ElementType, shape: ShapeDef | undefined, name: (axis: number) => Size): ValueType =>
  tensorType(element, dimsOf(shape, name));

const text = (bytes: Bytes): string =>
  typeof bytes === 'string'
    ? new TextDecoder().decode(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)))
    : String.fromCharCode(...bytes);

/** Reads the attributes of a node, with defaults for missing ones. */
export class Attributes {
  constructor(private readonly definitions: Readonly<Record<string, AttrDef>> = {}) {}

  number(name: string, standard: number): number {
    const { i, f } = this.definitions[name] ?? {};
    return Number(i ?? f ?? standard);
  }

  flag(name: string, standard = false): boolean {
    return this.definitions[name]?.b ?? standard;
  }

  text(name: string, standard = ''): string {
    const { s } = this.definitions[name] ?? {};
    return s === undefined ? standard : text(s);
  }

  numbers(name: string): number[] {
    return (this.definitions[name]?.list?.i ?? []).map(Number);
  }

  texts(name: string): string[] {
    return (this.definitions[name]?.list?.s ?? []).map(text);
  }

  element(name: string, standard: ElementType): ElementType {
    const { type } = this.definitions[name] ?? {};
    return type === undefined ? standard : elementOf(type);
  }

  shape(name: string): ShapeDef | undefined {
    return this.definitions[name]?.shape;
  }

  called(name: string): string {
    const called = this.definitions[name]?.func?.name;
    if (called !== undefined) return called;
    throw new SardonyxError('INVALID_MODEL', `the attribute ${name} does not name a function`);
  }
}
