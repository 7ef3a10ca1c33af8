import type { Engine } from '../../../../bindings/engine.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import { allNodes, constantsOf, subgraphs } from '../../../graph/walk.js';
import type { Destination } from '../../../loading/destination.js';
import { type ByteSource, StoredTensor } from '../../../tensor/stored-tensor.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { twins } from './twins.js';

interface Place {
  readonly address: number;
  readonly bytes: number;
  readonly source: ByteSource;
  /** Nodes that have not taken their form of it yet, once per input that reads it. */
  readers: Node[];
  /** Whether it stays, because it may be read at any time. */
  isPinned: boolean;
}

/**
 * Weights that were loaded straight into linear memory. Each stays there until the last node that reads it has taken
 * its form, often the weight itself; otherwise later forms reuse its memory.
 */
export class Staging {
  readonly #places = new Map<ByteSource, Place>();

  constructor(private readonly engine: Engine) {}

  /** Allocates memory for a weight that is about to be loaded. */
  readonly allocate = (bytes: number): Destination => {
    const { engine } = this;
    const address = engine.allocate(bytes);
    const source = () => {
      if (!this.#places.has(source)) throw new Error('the weight is kept only in packed form');
      return engine.u8.slice(address, address + bytes);
    };
    this.#places.set(source, { address, bytes, source, readers: [], isPinned: false });
    return { source, write: (offset, part) => engine.u8.set(part, address + offset) };
  };

  /** Frees weights that `graph` does not hold, and records the readers of others. */
  serve(graph: Graph): void {
    const held = new Set([...constantsOf(graph)].map((constant) => this.#placeOf(constant)));
    for (const place of this.#places.values()) if (!held.has(place)) this.#free(place);
    this.#pinAll(graph.outputs);
    for (const node of allNodes(graph)) {
      this.#pinAll(node.inputs.filter((value) => value?.isDefault));
      for (const [, inner] of subgraphs(node)) this.#pinAll(inner.outputs);
      if (twins.has(node)) continue;
      for (const value of node.inputs) if (value?.constant) this.#placeOf(value.constant)?.readers.push(node);
    }
  }

  /** Address of a weight in its plain form; undefined if it is not here. */
  addressOf(constant: TensorValue): number | undefined {
    return this.#asItIs(constant)?.address;
  }

  /** Address of a weight in its plain form; pins it there. */
  adopt(constant: TensorValue): number | undefined {
    const address = this.addressOf(constant);
    if (address !== undefined) this.#pin(constant);
    return address;
  }

  /** Hands the memory of a weight to `node`, its only remaining reader, if it has exactly `bytes` bytes. */
  take(constant: TensorValue, node: Node, bytes: number): number | undefined {
    const place = this.#asItIs(constant);
    if (place?.bytes !== bytes || place.isPinned || place.readers[1] || place.readers[0] !== node) return undefined;
    this.#places.delete(place.source);
    return place.address;
  }

  /** `node` has taken its form of the weight. */
  finish(constant: TensorValue, node: Node): void {
    const place = this.#placeOf(constant);
    if (!place?.readers.includes(node)) return;
    place.readers = place.readers.filter((reader) => reader !== node);
    if (!place.readers[0] && !place.isPinned) this.#free(place);
  }

  #asItIs(constant: TensorValue): Place | undefined {
    return constant instanceof StoredTensor ? this.#places.get(constant.source) : undefined;
  }

  /** The place of a weight, or of the stored one it is derived from. */
  #placeOf(constant: TensorValue): Place | undefined {
    return constant instanceof StoredTensor ? this.#places.get(constant.kept.source) : undefined;
  }

  #pin(constant: TensorValue): void {
    const place = this.#placeOf(constant);
    if (place) place.isPinned = true;
  }

  #pinAll(values: readonly (Value | null)[]): void {
    for (const value of values) if (value?.constant) this.#pin(value.constant);
  }

  #free({ source, address }: Place): void {
    this.#places.delete(source);
    this.engine.free(address);
  }
}
