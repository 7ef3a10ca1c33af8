import { optionsOf } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { FunctionDefinition, Model, Value } from '../graph/graph.js';
import { verifyModel } from '../graph/verify.js';
import { writeModel } from '../model/write-model.js';
import { toAttributes } from './attributes.js';
import { type AttributeInputs, GraphBuilder } from './graph-builder.js';

/** Options of a model. */
export interface ModelOptions {
  /** Version of ONNX's own operators. */
  readonly opset: number;
  /** Versions of other domains, e.g. `{ 'ai.onnx.ml': 3 }`. */
  readonly opsets?: Readonly<Record<string, number>>;
  /** The name of the graph. */
  readonly name?: string;
  /** The IR version of the file; by default one that fits the opset. */
  readonly irVersion?: number;
  /** The program that created the model. */
  readonly producer?: string;
  /** Key-value pairs that describe the model. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The name and parameters of a function of the model. */
export interface FunctionOptions<I extends readonly string[] = readonly string[]> {
  /** The function's domain, imported as version 1 unless `opsets` contains it. */
  readonly domain: string;
  /** The function's name: the operator of the nodes that call it. */
  readonly name: string;
  /** The names of its inputs. */
  readonly inputs: I;
  /** Distinguishes several functions with the same name. */
  readonly overload?: string;
  /** Attributes that every call must provide; the body uses them by `reference(name)`. */
  readonly attributes?: readonly string[];
  /** Attributes that a call may provide, with their defaults. */
  readonly defaults?: AttributeInputs;
}

const DEFAULT_IR_VERSION = 10;
const EXAMPLE = ', e.g. modelBuilder({ opset: 21 })';

/**
 * Builds a model node by node.
 * @example
 * const b = modelBuilder({ opset: 21 });
 * b.output('y', b.op('Relu', [b.input('x', 'float32', ['n'])]));
 * const session = await InferenceSession.create(b.toBytes());
 */
export class ModelBuilder extends GraphBuilder {
  private readonly functions: FunctionDefinition[] = [];

  constructor(private readonly options: ModelOptions) {
    const { opset, opsets: others } = optionsOf(options, 'options of a model', '{ opset: 21 }');
    const opsets = new Map([['', opset], ...Object.entries(optionsOf(others, 'opsets', "{ 'ai.onnx.ml': 3 }"))]);
    for (const [domain, version] of opsets)
      if (!(Number.isSafeInteger(version) && version >= 1))
        throw new SardonyxError(
          'INVALID_GRAPH',
          `${shown(version)} is not an opset version of the domain "${domain}"${EXAMPLE}`,
        );
    super(options.name ?? 'graph', { opsets, sparse: new Map() });
  }

  /** Defines a model-local function; nodes of its domain and name call it. */
  function<const I extends readonly string[]>(
    options: FunctionOptions<I>,
    build: (body: GraphBuilder, inputs: { -readonly [K in keyof I]: Value }) => void,
  ): FunctionDefinition {
    const { domain, name, inputs, overload = '', attributes = [], defaults = {} } = options;
    const same = (other: FunctionDefinition) =>
      other.domain === domain && other.name === name && other.overload === overload;
    if (this.functions.some(same))
      throw new SardonyxError('INVALID_GRAPH', `function ${domain}.${name} is already defined`);
    if (!this.context.opsets.has(domain)) this.context.opsets.set(domain, 1);
    const body = new GraphBuilder(name, this.context);
    build(body, inputs.map((input) => body.input(input)) as { -readonly [K in keyof I]: Value });
    const definition: FunctionDefinition = {
      domain,
      name,
      overload,
      attributes,
      defaults: toAttributes(defaults),
      opsets: new Map(this.context.opsets),
      graph: body.toGraph(),
    };
    this.functions.push(definition);
    return definition;
  }

  /** Returns the model as built so far, after verification. */
  toModel(): Model {
    const { irVersion = DEFAULT_IR_VERSION, producer = 'sardonyx', metadata = {} } = this.options;
    const model: Model = {
      irVersion,
      producer,
      opsets: new Map(this.context.opsets),
      metadata: new Map(Object.entries(metadata)),
      functions: [...this.functions],
      graph: this.toGraph(),
    };
    verifyModel(model);
    return model;
  }

  /** Returns the model as built so far as the contents of an .onnx file. */
  toBytes(): Uint8Array {
    return writeModel(this.toModel(), { sparse: this.context.sparse });
  }
}
