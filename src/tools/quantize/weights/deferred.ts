import type { TensorProto } from '../../../../build/onnx.js';
import { withFields } from '../../../model/document/changed.js';
import { MadeBytes, newBytes, type Take } from '../../../model/document/left-bytes.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { Sheet } from '../sheet.js';
import type { Codes } from './blocks.js';
import type { Layer } from './layers.js';

/** Writes a layer. The written data may overwrite the codes. */
export type Write = (layer: Layer, codes: Codes, sheet: Sheet) => void;

/** The tensors that were computed last. They are kept, as they are read in pieces. */
interface Latest {
  layer?: Layer;
  made?: Promise<readonly TensorProto[]>;
}

/** A sheet from which only the constants are used. */
const scratch = (): Sheet => ({ nodes: new Map(), constants: new Map(), first: new Map(), fresh: (base) => base });

const constantsOf = ({ constants }: Sheet, { owner }: Layer): readonly TensorProto[] => constants.get(owner) ?? [];

/** Writes a layer and replaces the constants that it adds, except shapes. */
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

/** Copies the written data, as the memory of the codes is reused. */
export const holding =
  (write: Write): Write =>
  (layer, codes, sheet) =>
    writeAs(write, layer, codes, sheet, (tensor) => withFields(tensor, { rawData: tensor.rawData.slice() }));

/**
 * Writes layers with lazy data. The codes are computed when they are read, and only those of the latest layer are kept.
 * Shapes are known at once.
 */
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
