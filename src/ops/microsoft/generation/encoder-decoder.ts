import type { Graph } from '../../../graph/graph.js';
import type { Evaluation, Inference, Iteration } from '../../../schema/definition.js';
import type { HostValue, TensorValue } from '../../../tensor/tensor-value.js';
import { lengthened, reordered, repeated } from './caches.js';
import type { Chosen, Decoder } from './decoder.js';
import { tokensOf } from './sequences.js';
import { limitOf } from './settings.js';
import { cacheType, emptyCache, expectNames, expectTokens, type Part, sharesCaches } from './subgraph-form.js';

export interface EncoderGraphs {
  readonly encoder: Graph | undefined;
  readonly decoder: Graph;
}

/** Input names of the subgraphs of a model type. */
export interface Form {
  /** Inputs of the encoder; the last is the decoder's first tokens. */
  readonly encoder: readonly [...inputs: string[], tokens: 'decoder_input_ids'];
  /** Inputs of the decoder before the encoder's hidden states, if it has that input, and the caches. */
  readonly decoder: readonly ['input_ids', ...string[]];
  /** Whether the encoder may run without the decoder's first tokens. */
  readonly encodesAlone: boolean;
}

/** https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/contrib_ops/cpu/transformers/subgraph_t5_encoder.cc */
export const T5: Form = {
  encoder: ['encoder_input_ids', 'encoder_attention_mask', 'decoder_input_ids'],
  decoder: ['input_ids', 'encoder_attention_mask'],
  encodesAlone: true,
};

/** https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/contrib_ops/cpu/transformers/subgraph_whisper_encoder.cc */
export const WHISPER: Form = {
  encoder: ['encoder_input_ids', 'decoder_input_ids'],
  decoder: ['input_ids'],
  encodesAlone: false,
};

const HIDDEN = 'encoder_hidden_states';

/** The form of a model whose decoder may also take the encoder's tokens. */
const formOf = (form: Form, { inputs }: Graph): Form => {
  const [tokens] = form.encoder;
  if (inputs[1]?.name !== tokens) return form;
  const [ids, ...rest] = form.decoder;
  return { ...form, decoder: [ids, tokens, ...rest] };
};

const isAlone = (graph: Graph, form: Form) => form.encodesAlone && graph.inputs.length < form.encoder.length;

const asksForHidden = ({ inputs }: Graph, form: Form) => inputs[form.decoder.length]?.name === HIDDEN;

type Node = Pick<Inference<EncoderGraphs>, 'attributes' | 'fail'>;

const encoderOf = (c: Node): Graph =>
  c.attributes.encoder ?? c.fail('INVALID_ATTRIBUTE', 'needs the attribute "encoder" (a graph) for this model_type');

/** Checks the inputs and outputs of the subgraphs; returns the number of layers. */
export function checkEncoderDecoder(c: Node, kind: Form): number {
  const form = formOf(kind, c.attributes.decoder);
  const encoder: Part = { name: 'encoder', graph: encoderOf(c) };
  const decoder: Part = { name: 'decoder', graph: c.attributes.decoder };
  const alone = isAlone(encoder.graph, form);
  expectNames(c, encoder, 'inputs', alone ? form.encoder.slice(0, -1) : form.encoder);
  expectTokens(c, encoder, kind === WHISPER ? ['decoder_input_ids'] : form.encoder);
  if (!alone) expectNames(c, encoder, 'outputs', ['logits', HIDDEN]);
  expectNames(c, decoder, 'inputs', form.decoder);
  expectNames(c, decoder, 'outputs', ['logits']);
  expectTokens(c, decoder, form.decoder);
  if (alone && asksForHidden(decoder.graph, form))
    c.fail('INVALID_GRAPH', `its decoder needs ${HIDDEN}, which its encoder returns only with decoder_input_ids`);
  return checkCaches(c, encoder, decoder, form);
}

/** Checks the caches of self-attention and cross-attention; returns the number of layers. */
function checkCaches(c: Node, encoder: Part, decoder: Part, form: Form): number {
  const alone = isAlone(encoder.graph, form);
  const encoded = encoder.graph.outputs.length - (alone ? 0 : 2);
  const layers = encoded / (alone ? 2 : 4);
  const each = alone ? 'two caches per layer' : 'logits, hidden states and four caches per layer';
  if (!(layers >= 1) || !Number.isInteger(layers))
    c.fail('INVALID_GRAPH', `its encoder has ${encoder.graph.outputs.length} outputs; it needs ${each}`);
  const before = form.decoder.length + Number(asksForHidden(decoder.graph, form));
  const pasts = decoder.graph.inputs.slice(before, sharesCaches(c, decoder) ? -1 : undefined);
  if (pasts.length !== 4 * layers)
    c.fail(
      'INVALID_GRAPH',
      `its decoder has ${pasts.length} caches among its inputs; its encoder has ${layers} layers with four each`,
    );
  if (decoder.graph.outputs.length < 1 + 2 * layers)
    c.fail(
      'INVALID_GRAPH',
      `its decoder has ${decoder.graph.outputs.length} outputs; it needs the logits and ${2 * layers} caches`,
    );
  for (const past of pasts.slice(0, 2 * layers)) cacheType(c, decoder, past, [4]);
  return layers;
}

export interface EncoderDecoderSettings {
  readonly beams: number;
  /** Length of the sequences. */
  readonly limit: number;
  /** Inputs of the encoder except the tokens. */
  readonly encoded: readonly TensorValue[];
  readonly prompt: TensorValue;
  /** Receives the decoder's outputs after its caches. */
  readonly observe?: (extra: readonly TensorValue[], chosen: Chosen) => void;
}

/** A decoder with cross-attention to the output of an encoder. */
export function encoderDecoder(c: Node, kind: Form, settings: EncoderDecoderSettings): Decoder {
  const { beams, limit, encoded, prompt, observe } = settings;
  const layers = checkEncoderDecoder(c, kind);
  const encoder = encoderOf(c);
  const { decoder } = c.attributes;
  const form = formOf(kind, decoder);
  const given = form.decoder.slice(1).map((name) => encoded[form.encoder.indexOf(name)] as TensorValue);
  const alone = isAlone(encoder, form);
  const hidden = asksForHidden(decoder, form);
  const shares = sharesCaches(c, { name: 'decoder', graph: decoder });
  const firstPast = form.decoder.length + Number(hidden);
  const ids = decoder.inputs[0]?.type;
  const takesOne = ids?.kind === 'tensor' && ids.dims?.[1] === 1;
  let fixed: readonly HostValue[] = [];
  let past: readonly HostValue[] = [];
  let cross: readonly HostValue[] = [];

  function* run(tokens: TensorValue, length: number): Iteration<[TensorValue, TensorValue[]]> {
    const position: TensorValue[] = shares ? [{ type: 'int32', dims: [1], data: Int32Array.of(length) }] : [];
    const [logits, ...present] = yield { graph: decoder, inputs: [tokens, ...fixed, ...past, ...cross, ...position] };
    past = present.slice(0, 2 * layers);
    return [logits as TensorValue, present.slice(2 * layers) as TensorValue[]];
  }

  function* beginAlone(): Iteration<TensorValue> {
    const caches = yield { graph: encoder, inputs: encoded };
    const rows = (prompt.dims[0] as number) * beams;
    fixed = given.map((x) => repeated(x, beams));
    cross = caches.map((x) => repeated(x as TensorValue, beams));
    past = decoder.inputs
      .slice(firstPast, firstPast + 2 * layers)
      .map((value) =>
        emptyCache(cacheType(c, { name: 'decoder', graph: decoder }, value, [4]), rows, shares ? limit : 0),
      );
    return (yield* run(repeated(prompt, beams), 0))[0];
  }

  return {
    prompt,
    *begin() {
      if (alone) return yield* beginAlone();
      const [logits, states, ...caches] = yield { graph: encoder, inputs: [...encoded, prompt] };
      const all = caches.map((x) => repeated(x as TensorValue, beams));
      fixed = [...given, ...(hidden ? [states as TensorValue] : [])].map((x) => repeated(x, beams));
      past = all.slice(0, 2 * layers).map((cache) => (shares ? lengthened(cache, limit) : cache));
      cross = all.slice(2 * layers);
      return logits as TensorValue;
    },
    *step(chosen: Chosen) {
      const { sequences, tokens, sources } = chosen;
      if (sources && beams > 1 && sequences.length > (prompt.dims[1] as number) + Number(!alone))
        past = past.map((cache) => reordered(cache as TensorValue, sources));
      const next: TensorValue = { type: 'int32', dims: [tokens.length, 1], data: Int32Array.from(tokens) };
      const [logits, extra] = yield* run(takesOne ? next : tokensOf(sequences), sequences.length - 1);
      observe?.(extra, chosen);
      return logits;
    },
  };
}

/** The first tokens of Whisper's decoder: input 10, or decoder_start_token_id for each batch element. */
function whisperPrompt(c: Evaluation<{ readonly decoder_start_token_id: number }>): TensorValue {
  if (c.given(10)) return c.tensor(10);
  const rows = c.tensor(0).dims[0] as number;
  const start = c.attributes.decoder_start_token_id;
  if (start < 0) c.fail('INVALID_ATTRIBUTE', 'needs decoder_input_ids or decoder_start_token_id');
  return { type: 'int32', dims: [rows, 1], data: new Int32Array(rows).fill(start) };
}

/** A decoder like Whisper's, for features */
export function whisperDecoder(
  c: Evaluation<EncoderGraphs & { readonly decoder_start_token_id: number }>,
  beams: number,
  observe?: EncoderDecoderSettings['observe'],
): Decoder {
  const prompt = whisperPrompt(c);
  const limit = limitOf(c, prompt.dims[1] as number);
  return encoderDecoder(c, WHISPER, {
    beams,
    limit,
    encoded: [c.tensor(0)],
    prompt,
    ...(observe && { observe }),
  });
}
