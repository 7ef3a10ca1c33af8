import type { Engine } from '../../bindings/engine.js';
import type { Node } from '../graph/graph.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** Bytes that the host makes for a kernel, and what a lowering must know of them. */
export interface Made<F> {
  readonly bytes: Uint8Array;
  readonly facts: F;
}

/** The constants of a session in linear memory, each packed once per form that some kernel wants. */
export class Weights {
  readonly #forms = new Map<TensorValue, Map<string, number>>();
  readonly #made = new Map<object, Map<string, { readonly address: number; readonly facts: unknown }>>();
  readonly #choices = new Map<Node, Map<string, unknown>>();

  constructor(private readonly engine: Engine) {}

  /** Address of `constant` in `form`; on first use `pack` makes it from the plain bytes at `source`. */
  packed(constant: TensorValue, form: string, bytes: number, pack: (source: number, target: number) => void): number {
    const forms = this.#forms.get(constant) ?? new Map<string, number>();
    this.#forms.set(constant, forms);
    const known = forms.get(form);
    if (known !== undefined) return known;
    const plain = forms.get('plain');
    const target = this.engine.allocate(bytes);
    const source = plain ?? this.#copyIn(constant);
    pack(source, target);
    if (plain === undefined) this.engine.free(source);
    forms.set(form, target);
    return target;
  }

  plain(constant: TensorValue): number {
    const known = this.#forms.get(constant)?.get('plain');
    if (known !== undefined) return known;
    const address = this.#copyIn(constant);
    this.#forms.set(constant, (this.#forms.get(constant) ?? new Map()).set('plain', address));
    return address;
  }

  /** Address of what `make` makes of `source`, on first use, in `form`; the host keeps no copy. */
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
    const choices = this.#choices.get(node) ?? new Map<string, unknown>();
    this.#choices.set(node, choices);
    if (!choices.has(name)) choices.set(name, decide());
    return choices.get(name) as T;
  }

  #copyIn(constant: TensorValue): number {
    const data = constant.data as ArrayBufferView;
    const address = this.engine.allocate(data.byteLength);
    this.engine.u8.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), address);
    return address;
  }
}
