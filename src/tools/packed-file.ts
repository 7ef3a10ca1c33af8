import { aheadIn, fileOf, type LeftFile, MadeBytes, sizeOf, type Take } from '../model/document/left-bytes.js';

/** The alignment of offsets, so that files can be mapped: https://onnx.ai/onnx/repo-docs/ExternalData.html */
const ALIGNMENT = 4096;

/** The number of bytes at each end that must be equal before data are compared completely. */
const PROBE = 1024;

const WORD = 4;

/** The number of bytes to compare at once. */
const COMPARED = 2 ** 22;

interface Part {
  readonly offset: number;
  readonly data: Uint8Array;
}

/** Combines data lazily into one file. Equal data are stored once. */
export class PackedFile {
  readonly #parts: Part[] = [];
  readonly #alike = new Map<string, Part[]>();
  #end = 0;

  /**
   * Adds data.
   * @returns their offset
   */
  async add(data: Uint8Array): Promise<number> {
    if (data instanceof MadeBytes) return this.#append(data).offset;
    const key = await probed(data);
    const alike = this.#alike.get(key) ?? [];
    for (const part of alike) if (await isSame(part.data, data)) return part.offset;
    const part = this.#append(data);
    this.#alike.set(key, [...alike, part]);
    return part.offset;
  }

  #append(data: Uint8Array): Part {
    const part = { offset: Math.ceil(this.#end / ALIGNMENT) * ALIGNMENT, data };
    this.#parts.push(part);
    this.#end = part.offset + sizeOf(data);
    return part;
  }

  whole(): LeftFile {
    const parts = [...this.#parts];
    return { size: this.#end, range: (begin, end, take) => rangeIn(parts, begin, end, take) };
  }
}

/** Reads a range across parts, with zeros between them. */
async function rangeIn(parts: readonly Part[], begin: number, end: number, take?: Take): Promise<Uint8Array> {
  const concerned = parts.filter(({ offset, data }) => offset < end && offset + sizeOf(data) > begin);
  const pieceOf = ({ offset, data }: Part, given?: Take) => {
    const [from, to] = [Math.max(begin, offset), Math.min(end, offset + sizeOf(data))];
    return partOf(data, from - offset, to - offset, given);
  };
  const [first, second] = concerned;
  if (first && !second && first.offset <= begin && first.offset + sizeOf(first.data) >= end)
    return pieceOf(first, take);
  const bytes = new Uint8Array(end - begin);
  for (const part of concerned) bytes.set(await pieceOf(part), Math.max(part.offset - begin, 0));
  return bytes;
}

const partOf = (data: Uint8Array, begin: number, end: number, take?: Take) => aheadIn(fileOf(data), begin, end, take);

/** A key that equal data share. */
export async function probed(data: Uint8Array): Promise<string> {
  const size = sizeOf(data);
  const ends = [await partOf(data, 0, Math.min(PROBE, size)), await partOf(data, Math.max(0, size - PROBE), size)];
  return `${size}:${ends.map((bytes) => String.fromCharCode(...bytes)).join('')}`;
}

/** Whether data of equal size are equal. They are read in pieces. */
export async function isSame(a: Uint8Array, b: Uint8Array): Promise<boolean> {
  for (let begin = 0; begin < sizeOf(a); begin += COMPARED) {
    const end = Math.min(begin + COMPARED, sizeOf(a));
    if (!isEqual(await partOf(a, begin, end), await partOf(b, begin, end))) return false;
  }
  return true;
}

/** Compares word by word if both arrays are aligned. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  const isAligned = [a, b].every(({ byteOffset }) => byteOffset % WORD === 0);
  const whole = isAligned ? a.length - (a.length % WORD) : 0;
  const [left, right] = [a, b].map(
    ({ buffer, byteOffset }) => new Int32Array(buffer, isAligned ? byteOffset : 0, whole / WORD),
  );
  for (let i = 0; i < whole / WORD; i++) if (left?.[i] !== right?.[i]) return false;
  for (let i = whole; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
