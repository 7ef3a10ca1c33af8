import type { TensorProto } from '../../../../build/onnx.js';
import { withFields } from '../../../model/document/changed.js';
import { MadeBytes, newBytes, type Take } from '../../../model/document/left-bytes.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { Sheet } from '../sheet.js';
import type { Codes } from './blocks.js';
import type { Layer } from './layers.js';

/** Writes down a layer; what it writes may lie where the codes did. */
export type Write = (layer: Layer, codes: Codes, sheet: Sheet) => void;

/** What was made last, as that is read piece by piece. */
interface Latest {
  layer?: Layer;
  made?: Promise<readonly TensorProto[]>;
}

/** Where only the constants count. */
const scratch = (): Sheet => ({ nodes: new Map(), constants: new Map(), first: new Map(), fresh: (base) => base });

const constantsOf = ({ constants }: Sheet, { owner }: Layer): readonly TensorProto[] => constants.get(owner) ?? [];

/** Writes down a layer, with others in place of the constants, but for shapes, that it puts into a graph. */
function writeAs(
  write: Write,
  layer: Layer,
  codes: Codes,
  sheet: Sheet,
  other: (tensor: TensorProto, i: number) => TensorProto,
): void {
  const before = constantsOf(sheet, layer).length;
  write(layer, codes, sheet);
  const all = constantsOf(sheet, layer).map((tensor, i) =>
    i < before || tensor.dataType === ELEMENTS.int64.onnx ? tensor : other(tensor, i - before),
  );
  sheet.constants.set(layer.owner, all);
}

/** Writes down layers whose codes lie where others' will. */
export const holding =
  (write: Write): Write =>
  (layer, codes, sheet) =>
    writeAs(write, layer, codes, sheet, (tensor) => withFields(tensor, { rawData: tensor.rawData.slice() }));

/** Writes down layers whose codes are made when they are read, one layer at a time, and kept until another's are; shapes are there at once. */
export function deferring(write: Write, codesOf: (layer: Layer) => Promise<Codes>): Write {
  const latest: Latest = {};
  let last: Promise<unknown> = Promise.resolve();
  const tensorsOf = async (layer: Layer): Promise<readonly TensorProto[]> => {
    const sheet = scratch();
    write(layer, await codesOf(layer), sheet);
    return constantsOf(sheet, layer);
  };
  const made = (layer: Layer) => {
    if (latest.layer !== layer) {
      const made = last.then(() => tensorsOf(layer));
      last = made.catch(() => {});
      Object.assign(latest, { layer, made });
    }
    return latest.made as Promise<readonly TensorProto[]>;
  };
  return (layer, blank, sheet) =>
    writeAs(write, layer, blank, sheet, (tensor, i) => {
      const range = async (begin: number, end: number, take: Take = newBytes) => {
        const { rawData } = (await made(layer))[i] as TensorProto;
        const bytes = take(end - begin);
        bytes.set(rawData.subarray(begin, end));
        return bytes;
      };
      return withFields(tensor, { rawData: new MadeBytes(tensor.rawData.length, range) });
    });
}
