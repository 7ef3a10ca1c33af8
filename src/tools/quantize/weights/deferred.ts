import type { TensorProto } from '../../../../build/onnx.js';
import { withFields } from '../../../model/document/changed.js';
import { MadeBytes } from '../../../model/document/left-bytes.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { Sheet } from '../sheet.js';
import type { Codes } from './blocks.js';
import type { Layer } from './layers.js';

/** Writes down a layer. */
export type Write = (layer: Layer, codes: Codes, sheet: Sheet) => void;

/** What was made last, as that is read piece by piece. */
interface Latest {
  layer?: Layer;
  made?: Promise<readonly TensorProto[]>;
}

/** Where only the constants count. */
const scratch = (): Sheet => ({ nodes: new Map(), constants: new Map(), first: new Map(), fresh: (base) => base });

const constantsOf = ({ constants }: Sheet, { owner }: Layer): readonly TensorProto[] => constants.get(owner) ?? [];

/** Writes down layers whose codes are made when they are read, and kept until another's are; shapes are there at once. */
export function deferring(write: Write, codesOf: (layer: Layer) => Promise<Codes>): Write {
  const latest: Latest = {};
  const tensorsOf = async (layer: Layer): Promise<readonly TensorProto[]> => {
    const sheet = scratch();
    write(layer, await codesOf(layer), sheet);
    return constantsOf(sheet, layer);
  };
  const made = (layer: Layer) => {
    if (latest.layer !== layer) Object.assign(latest, { layer, made: tensorsOf(layer) });
    return latest.made as Promise<readonly TensorProto[]>;
  };
  return (layer, blank, sheet) => {
    const before = constantsOf(sheet, layer).length;
    write(layer, blank, sheet);
    const left = constantsOf(sheet, layer).map((tensor, i) => {
      if (i < before || tensor.dataType === ELEMENTS.int64.onnx) return tensor;
      const range = async (begin: number, end: number) =>
        ((await made(layer))[i - before] as TensorProto).rawData.subarray(begin, end);
      return withFields(tensor, { rawData: new MadeBytes(tensor.rawData.length, range) });
    });
    sheet.constants.set(layer.owner, left);
  };
}
