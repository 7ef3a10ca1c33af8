import { SardonyxError } from '../errors.js';
import { type ExternalData, externalFiles, type FileRanges, tooShort } from '../model/external-data.js';
import { Malformed, OWN_FILE, type Skeleton, type Step, skeletonOf } from '../model/skeleton.js';
import type { ByteSource } from '../tensor/stored-tensor.js';
import type { Berth, Harbor } from './berth.js';
import { checkHead, described } from './first-bytes.js';
import { GrowingBytes } from './growing-bytes.js';
import { type Incoming, receive } from './incoming.js';
import type { Loading } from './loading.js';

/** A model whose larger weights went elsewhere. */
export interface SplitModel {
  readonly bytes: Uint8Array;
  readonly external: ExternalData;
}

const NOTHING = new Uint8Array();
const HEAD = 32;

/** Receives a model file: its larger weights go into berths of their own as they arrive, the rest is kept. */
export async function receiveModel(file: Incoming, loading: Loading, harbor: Harbor): Promise<SplitModel> {
  const splitter = new Splitter(file, harbor);
  try {
    await receive(file, loading, (bytes) => splitter.push(bytes));
    return splitter.finish();
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause;
    const complaint = `${file.name} is no ONNX model (${cause.message}): ${splitter.description}`;
    throw new SardonyxError('INVALID_MODEL', complaint, {}, { cause });
  }
}

/** Answers a skeleton's steps from bytes as they come. */
class Splitter {
  readonly #skeleton: Skeleton;
  readonly #berths = new Map<string, ByteSource>();
  readonly #head = new GrowingBytes(HEAD);
  #step: IteratorResult<Step, Uint8Array>;
  /** Bytes of the step so far, where it takes them; else its berth, and how much of it is filled. */
  #taken = new GrowingBytes();
  #berth: Berth | undefined;
  #filled = 0;
  #offset = 0;

  constructor(
    private readonly file: Incoming,
    private readonly harbor: Harbor,
  ) {
    this.#skeleton = skeletonOf();
    this.#step = this.#skeleton.next();
  }

  get description(): string {
    return described(this.#head.bytes, this.file.contentType);
  }

  push(chunk: Uint8Array): void {
    if (this.#head.length < HEAD) {
      this.#head.push(chunk.subarray(0, HEAD - this.#head.length));
      checkHead(this.file.name, this.#head.bytes, this.file.contentType);
    }
    let at = 0;
    while (at < chunk.length && !this.#step.done) {
      const { value } = this.#step;
      at += 'take' in value ? this.#take(chunk, at, value.take) : this.#leave(chunk, at, value.leave);
    }
  }

  finish(): SplitModel {
    while (!this.#step.done && 'take' in this.#step.value) this.#answer(this.#taken.take());
    if (!this.#step.done) throw new Malformed('it ends too early');
    const own: FileRanges = (offset, length) => {
      const source = this.#berths.get(`${offset}:${length}`);
      if (!source) throw tooShort(this.file.name, this.#offset, offset, length);
      return source;
    };
    return { bytes: this.#step.value, external: externalFiles(new Map([[OWN_FILE, own]])) };
  }

  #take(chunk: Uint8Array, at: number, wanted: number): number {
    const missing = wanted - this.#taken.length;
    const part = chunk.subarray(at, at + missing);
    if (this.#taken.length === 0 && part.length === wanted) this.#answer(wanted === 1 ? part : part.slice());
    else {
      this.#taken.push(part);
      if (this.#taken.length === wanted) this.#answer(this.#taken.take());
    }
    return part.length;
  }

  #leave(chunk: Uint8Array, at: number, length: number): number {
    this.#berth ??= this.#dock(length);
    const part = chunk.subarray(at, at + length - this.#filled);
    this.#berth.write(this.#filled, part);
    this.#filled += part.length;
    if (this.#filled === length) {
      this.#offset += length;
      this.#berth = undefined;
      this.#filled = 0;
      this.#step = this.#skeleton.next(NOTHING);
    }
    return part.length;
  }

  #dock(length: number): Berth {
    const { total, name } = this.file;
    if (this.file.isExact && total !== undefined && this.#offset + length > total)
      throw new Malformed(`a tensor has ${length} bytes, and ${name} ${total}`);
    const berth = this.harbor(length);
    this.#berths.set(`${this.#offset}:${length}`, berth.source);
    return berth;
  }

  #answer(bytes: Uint8Array): void {
    this.#offset += bytes.length;
    this.#step = this.#skeleton.next(bytes);
  }
}
