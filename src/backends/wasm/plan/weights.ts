import type { Engine } from '../../../../bindings/engine.js';
import { operandsOf } from '../../../graph/captures.js';
import type { Node } from '../../../graph/graph.js';
import { byteLength } from '../../../tensor/element-types.js';
import { type ByteSource, readInto, StoredTensor } from '../../../tensor/stored-tensor.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import type { Made, Pack, Repacking } from '../lowering.js';
import type { Staging } from './staging.js';
import { firstOf } from './twins.js';

/**
 * Constants in linear memory, packed once for each form that a kernel needs. The model's constants live as long as the
 * session, those made in planning as long as their plan.
 */
export class Weights {
  readonly #forms = new Map<TensorValue, Map<string, number>>();
  readonly #made = new Map<object, Map<string, { readonly address: number; readonly facts: unknown }>>();
  /** Nodes that have read a constant in one of its forms. */
  readonly #users = new Map<TensorValue, WeakSet<Node>>();
  readonly #choices = new WeakMap<Node, Map<string, unknown>>();
  #bytes = 0;
  #isSealed = false;

  constructor(
    private readonly engine: Engine,
    private readonly constants: ReadonlySet<TensorValue> = new Set(),
    private readonly staging?: Staging,
  ) {}

  /** Whether `constant` is one of the model's. */
  has(constant: TensorValue): boolean {
    return this.constants.has(constant);
  }

  /** Bytes that the packed forms take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Refuses to pack anything else: plans that are moved need no more than they have. */
  seal(): void {
    this.#isSealed = true;
  }

  #checkOpen(): void {
    if (this.#isSealed) throw new Error('this plan has packed its constants');
  }

  /** Frees all packed forms. */
  release(): void {
    for (const forms of this.#forms.values()) for (const address of forms.values()) this.engine.free(address);
    this.#forms.clear();
    this.#bytes = 0;
  }

  /**
   * Address of `constant` in `form`. On first use, `pack` makes it from the plain bytes of `constant` or `from`; if
   * these are not in linear memory, `pieces` makes it, if given.
   */
  packed(
    node: Node,
    constant: TensorValue,
    form: string,
    bytes: number,
    pack: Pack,
    { from = constant, pieces }: Repacking = {},
  ): number {
    this.#use(constant, node);
    const forms = this.#forms.get(constant) ?? new Map<string, number>();
    this.#forms.set(constant, forms);
    const known = forms.get(form);
    if (known !== undefined) return known;
    this.#checkOpen();
    const plain = this.#forms.get(from)?.get('plain');
    const taken = pieces && plain === undefined ? this.staging?.take(constant, firstOf(node), bytes) : undefined;
    const target = taken ?? this.engine.allocate(bytes);
    forms.set(form, target);
    this.#bytes += bytes;
    try {
      const resident = plain ?? this.staging?.addressOf(from);
      if (pieces && resident === undefined) {
        pieces(constant, target, taken !== undefined);
        return target;
      }
      const source = resident ?? this.#copyIn(from);
      try {
        pack(source, target);
      } finally {
        if (resident === undefined) this.engine.free(source);
      }
      return target;
    } catch (error) {
      forms.delete(form);
      this.#bytes -= bytes;
      this.engine.free(target);
      throw error;
    }
  }

  /** Address of `constant` in its plain form. */
  plain(node: Node | undefined, constant: TensorValue): number {
    this.#use(constant, node);
    const known = this.#forms.get(constant)?.get('plain');
    if (known !== undefined) return known;
    this.#checkOpen();
    const address = this.staging?.adopt(constant) ?? this.#copyIn(constant);
    this.#bytes += byteLength(constant.type, elementCount(constant.dims));
    this.#forms.set(constant, (this.#forms.get(constant) ?? new Map()).set('plain', address));
    return address;
  }

  /** Address of the bytes that `make` derives from `source` on first use of `form`; the host keeps no copy. */
  made<F>(source: object, form: string, make: () => Made<F>): { readonly address: number; readonly facts: F } {
    const forms = this.#made.get(source) ?? new Map();
    this.#made.set(source, forms);
    const known = forms.get(form);
    if (known) return known;
    const { bytes, facts } = make();
    const address = this.engine.allocate(bytes.length);
    this.engine.u8.set(bytes, address);
    forms.set(form, { address, facts });
    return { address, facts };
  }

  choose<T>(node: Node, name: string, decide: () => T): T {
    const first = firstOf(node);
    const choices = this.#choices.get(first) ?? new Map<string, unknown>();
    this.#choices.set(first, choices);
    if (!choices.has(name)) choices.set(name, decide());
    return choices.get(name) as T;
  }

  /** `node` has been planned, and has taken its forms of the constants. */
  finish(node: Node): void {
    if (!this.staging) return;
    for (const value of node.inputs) {
      const constant = value?.constant;
      if (constant && this.#isUsed(constant, node)) this.staging.finish(constant, firstOf(node));
    }
  }

  /**
   * Releases the model's bytes: once all readers of a constant among `nodes` have taken their forms of it, it lives in
   * linear memory alone.
   */
  releaseSources(nodes: Iterable<Node>): void {
    const waiting = new Set<TensorValue>();
    for (const node of nodes) {
      for (const value of operandsOf(node)) {
        const { constant } = value;
        if (constant && !this.#isUsed(constant, node)) waiting.add(constant);
      }
    }
    for (const [constant, forms] of this.#forms) {
      if (constant instanceof StoredTensor && !waiting.has(constant)) constant.moveTo(this.#readBack(constant, forms));
    }
    for (const constant of waiting) if (constant instanceof StoredTensor) detach(constant.kept);
  }

  #readBack(constant: StoredTensor, forms: ReadonlyMap<string, number>): ByteSource {
    const plain = forms.get('plain');
    const bytes = byteLength(constant.type, elementCount(constant.dims));
    if (plain !== undefined) return () => this.engine.u8.slice(plain, plain + bytes);
    return () => {
      throw new Error(`the weights ${constant.type}[${constant.dims}] are kept only as ${[...forms.keys()]}`);
    };
  }

  #use(constant: TensorValue, node: Node | undefined): void {
    if (!node) return;
    const users = this.#users.get(constant) ?? new WeakSet<Node>();
    this.#users.set(constant, users.add(firstOf(node)));
  }

  #isUsed(constant: TensorValue, node: Node): boolean {
    return this.#users.get(constant)?.has(firstOf(node)) ?? false;
  }

  #copyIn(constant: TensorValue): number {
    const bytes = byteLength(constant.type, elementCount(constant.dims));
    const address = this.engine.allocate(bytes);
    try {
      readInto(constant, this.engine.u8.subarray(address, address + bytes));
      return address;
    } catch (error) {
      this.engine.free(address);
      throw error;
    }
  }
}

/** Constants up to this size are copied, so that they do not keep the bytes of the whole model alive. */
const MAX_DETACHED_BYTES = 1 << 16;

function detach(constant: StoredTensor): void {
  if (byteLength(constant.type, elementCount(constant.dims)) > MAX_DETACHED_BYTES) return;
  const bytes = constant.readBytes().slice();
  constant.moveTo(() => bytes);
}
