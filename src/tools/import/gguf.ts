import { allOf, type LeftFile, rangeOf } from '../../model/document/left-bytes.js';
import { FORMS, restoring } from './gguf-forms.js';
import { broken, type Listing, type StoredWeight, sizeIn } from './stored-weight.js';

/** The number of bytes to read first. It is doubled until the header fits. */
const WINDOW = 2 ** 20;
const MOST_HEADER = 2 ** 29;

const VERSIONS = [2, 3];
const MAGIC = 4;
const ALIGNMENT = 32;
/** The maximum depth of nested lists. Real headers do not nest lists. */
const DEEPEST = 4;

/** The header continues after the bytes read so far. */
class Short extends Error {}

/**
 * Reads the header of a little-endian GGUF file, version 2 or 3. The dims are in ONNX's order, innermost last.
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export async function readGguf(file: LeftFile, name: string): Promise<Listing> {
  for (let window = WINDOW; ; window *= 2) {
    const bytes = await file.range(0, Math.min(window, file.size));
    try {
      return listing(new Header(bytes, name), file, name);
    } catch (error) {
      if (!(error instanceof Short)) throw error;
      if (window >= Math.min(file.size, MOST_HEADER)) throw broken(name, 'the header is incomplete or too large');
    }
  }
}

function listing(header: Header, file: LeftFile, name: string): Listing {
  const version = header.at(MAGIC).u32();
  if (!VERSIONS.includes(version)) throw broken(name, `unsupported GGUF version ${version}; expected 2 or 3`);
  const [count, pairs] = [header.count(), header.count()];
  const metadata: Record<string, unknown> = Object.create(null);
  for (let i = 0; i < pairs; i++) metadata[header.text()] = header.value(header.u32());
  const infos = Array.from(header.times(count), () => infoIn(header, name));
  const unit = Number(metadata['general.alignment'] ?? ALIGNMENT);
  if (!(unit >= 1)) throw broken(name, 'general.alignment must be a number of 1 or more');
  const begin = Math.ceil(header.position / unit) * unit;
  const tensors = new Map(infos.map((info) => [info.name, weightAt(info, begin, file, name)]));
  return { format: 'gguf', metadata, tensors };
}

interface Info {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: number;
  readonly offset: number;
}

function infoIn(header: Header, file: string): Info {
  const name = header.text();
  const rank = header.u32();
  if (rank > 8) throw broken(file, `tensor "${name}" has ${rank} dimensions; expected at most 8`);
  const dims = Array.from({ length: rank }, () => header.count()).reverse();
  return { name, dims, type: header.u32(), offset: header.count() };
}

function weightAt({ name, dims, type, offset }: Info, begin: number, file: LeftFile, location: string): StoredWeight {
  const form = FORMS[type];
  if (!form) throw broken(location, `tensor "${name}" has the unsupported GGML type ${type}`);
  const count = sizeIn(dims);
  const length = (count / form.block) * form.bytes;
  if (!Number.isSafeInteger(length) || (dims.at(-1) ?? 1) % form.block !== 0)
    throw broken(
      location,
      `tensor "${name}" has the shape [${dims}], whose rows are not divisible into blocks of ${form.block}`,
    );
  if (begin + offset + length > file.size)
    throw broken(
      location,
      `tensor "${name}" ends at byte ${begin + offset + length}, but the file has ${file.size} bytes`,
    );
  const stored = rangeOf(file, begin + offset, length);
  const data = form.restore ? restoring(form, stored, count) : stored;
  const read = async () => allOf(data);
  return { form: form.name, type: form.type, dims, read, data, stored, place: { location, offset: begin + offset } };
}

/** Reads the fields of a header in order. */
class Header {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #name: string;
  position = 0;

  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#name = name;
  }

  at(position: number): this {
    this.position = position;
    return this;
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** Reads a 64-bit length or offset. */
  count(): number {
    return Number(this.#view.getBigUint64(this.#take(8), true));
  }

  /** An array-like for `Array.from`. Throws if fewer than `count` bytes are left, as each item takes at least one. */
  times(count: number): { length: number } {
    if (count > this.#bytes.length - this.position) throw new Short();
    return { length: count };
  }

  text(): string {
    const length = this.count();
    const begin = this.#take(length);
    return new TextDecoder().decode(this.#bytes.subarray(begin, begin + length));
  }

  value(type: number, depth = 0): unknown {
    if (type === TEXT) return this.text();
    if (type === LIST && depth < DEEPEST) {
      const of = this.u32();
      return Array.from(this.times(this.count()), () => this.value(of, depth + 1));
    }
    const scalar = SCALARS[type];
    if (!scalar) throw broken(this.#name, `unknown GGUF metadata type ${type}`);
    return scalar.read(this.#view, this.#take(scalar.bytes));
  }

  /** Skips bytes and returns their offset. */
  #take(length: number): number {
    const begin = this.position;
    if (!(begin + length <= this.#bytes.length)) throw new Short();
    this.position += length;
    return begin;
  }
}

const TEXT = 8;
const LIST = 9;

interface Scalar {
  readonly bytes: number;
  readonly read: (view: DataView, at: number) => unknown;
}

const exact = (value: bigint): number | bigint => (BigInt.asIntN(53, value) === value ? Number(value) : value);

/** Scalar metadata types. */
const SCALARS: Readonly<Record<number, Scalar>> = {
  0: { bytes: 1, read: (view, at) => view.getUint8(at) },
  1: { bytes: 1, read: (view, at) => view.getInt8(at) },
  2: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  3: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  4: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  5: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  6: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  7: { bytes: 1, read: (view, at) => view.getUint8(at) !== 0 },
  10: { bytes: 8, read: (view, at) => exact(view.getBigUint64(at, true)) },
  11: { bytes: 8, read: (view, at) => exact(view.getBigInt64(at, true)) },
  12: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
};
