import type { Account } from '../account.js';
import { HEAD, looksLikeText, SHOWN, type Suspect } from '../base/first-bytes.js';
import { type ExternalData, externalFiles, type FileRanges, tooShort } from '../model/external-data.js';
import { noModel } from '../model/no-model.js';
import { cursorAtStart, Malformed, OWN_FILE, type Skeleton, type Step, skeletonOf } from '../model/skeleton.js';
import type { ByteSource } from '../tensor/stored-tensor.js';
import type { Allocator, Destination } from './destination.js';
import { GrowingBytes } from './growing-bytes.js';
import { type Incoming, receive } from './incoming.js';
import type { Loading } from './loading.js';

/** A model file whose larger weights are stored separately. */
export interface SplitModel {
  readonly bytes: Uint8Array;
  readonly external: ExternalData;
  readonly suspect: () => Suspect;
}

const NOTHING = new Uint8Array();

/** Receives a model file: larger weights go into destinations of their own as they arrive; the rest stays together. */
export async function receiveModel(file: Incoming, loading: Loading, allocator: Allocator): Promise<SplitModel> {
  const { account } = loading;
  const splitter = new Splitter(file, allocator, account);
  if (file.isExact && file.total !== undefined) account?.demandAlone(file.total, file.name);
  try {
    await receive(file, loading, (bytes) => splitter.push(bytes));
    return splitter.finish();
  } catch (cause) {
    throw cause instanceof Malformed ? noModel(splitter.suspect, cause.message, cause) : cause;
  }
}

/** Answers a skeleton's steps from bytes as they arrive. */
class Splitter {
  readonly #cursor = cursorAtStart();
  readonly #skeleton: Skeleton;
  readonly #destinations = new Map<string, ByteSource>();
  readonly #head = new GrowingBytes();
  #hasBegun = false;
  #received = 0;
  #step: IteratorResult<Step, Uint8Array>;
  /** Bytes of the current step so far, if it takes them; otherwise its destination, and the number of bytes there. */
  #taken = new GrowingBytes();
  #destination: Destination | undefined;
  #filled = 0;
  #offset = 0;

  constructor(
    private readonly file: Incoming,
    private readonly allocator: Allocator,
    private readonly account: Account | null,
  ) {
    this.#skeleton = skeletonOf(undefined, this.#cursor);
    this.#step = this.#skeleton.next();
  }

  get suspect(): Suspect {
    const { name, isExact, total, contentType } = this.file;
    const size = isExact && total !== undefined ? total : this.#received;
    return { name, head: this.#head.bytes, size, reach: this.#cursor.reach, contentType };
  }

  push(chunk: Uint8Array): void {
    this.#received += chunk.length;
    this.account?.demandAlone(this.#received, this.file.name);
    const part = chunk.subarray(0, SHOWN - this.#head.length);
    this.#head.push(part);
    if (this.#hasBegun) this.#read(chunk);
    else if (this.#head.length >= (looksLikeText(this.#head.bytes) ? SHOWN : HEAD)) {
      this.#begin();
      this.#read(chunk.subarray(part.length));
    }
  }

  finish(): SplitModel {
    if (!this.#hasBegun) this.#begin();
    while (!this.#step.done && 'take' in this.#step.value) this.#answer(this.#taken.take());
    if (!this.#step.done) throw new Malformed('it ends too early');
    const own: FileRanges = (offset, length) => {
      const source = this.#destinations.get(`${offset}:${length}`);
      if (!source) throw tooShort(this.file.name, this.#offset, offset, length);
      return source;
    };
    return {
      bytes: this.#step.value,
      external: externalFiles(new Map([[OWN_FILE, own]])),
      suspect: () => this.suspect,
    };
  }

  #begin(): void {
    const { bytes } = this.#head;
    if (looksLikeText(bytes)) throw noModel(this.suspect);
    this.#hasBegun = true;
    this.#read(bytes);
  }

  #read(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && !this.#step.done) {
      const { value } = this.#step;
      at += 'take' in value ? this.#take(chunk, at, value.take) : this.#leave(chunk, at, value.leave);
    }
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
    this.#destination ??= this.#allocate(length);
    const part = chunk.subarray(at, at + length - this.#filled);
    this.#destination.write(this.#filled, part);
    this.#filled += part.length;
    if (this.#filled === length) {
      this.#offset += length;
      this.#destination = undefined;
      this.#filled = 0;
      this.#step = this.#skeleton.next(NOTHING);
    }
    return part.length;
  }

  #allocate(length: number): Destination {
    const { total, name } = this.file;
    if (this.file.isExact && total !== undefined && this.#offset + length > total)
      throw new Malformed(`a tensor needs ${length} bytes, but ${name} has ${total}`);
    const destination = this.allocator(length);
    this.#destinations.set(`${this.#offset}:${length}`, destination.source);
    return destination;
  }

  #answer(bytes: Uint8Array): void {
    this.#offset += bytes.length;
    this.#step = this.#skeleton.next(bytes);
  }
}
