import { type GraphBuilder, modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { Layers } from './layers.js';
import type { Repository } from './repository.js';
import { byteTokenizer } from './tokenizers.js';
import { type SpeakerShape, speaker } from './whisper.js';

export interface BlockShape {
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  readonly layers: number;
}

export interface VisionShape extends BlockShape {
  /** Pixels of a square picture's side, and of a patch's. */
  readonly side: number;
  readonly patch: number;
}

/** Blocks that normalize first. */
function blocks(
  l: Layers,
  states: Value,
  { width, inner, heads, layers }: BlockShape,
  activate: (x: Value) => Value,
  bias: Value | null = null,
): Value {
  let x = states;
  for (let i = 0; i < layers; i++) {
    const own = l.layerNorm(x, width);
    const split = () => l.splitHeads(l.linear(own, width, width), heads, width / heads);
    const attended = l.mergeHeads(l.attention(split(), split(), split(), bias, width / heads), width);
    x = l.op('Add', [x, l.linear(attended, width, width)]);
    x = l.op('Add', [x, l.linear(activate(l.linear(l.layerNorm(x, width), width, inner)), inner, width)]);
  }
  return x;
}

/** [batch, 3, side, side] as [batch, 1 + patches, width], the first of which stands for the whole. */
function patches(l: Layers, pixels: Value, { width, side, patch }: VisionShape): Value {
  const count = (side / patch) ** 2;
  const attributes = {
    ...{ kernel_shape: [patch, patch], strides: [patch, patch] },
    ...{ pads: [0, 0, 0, 0], dilations: [1, 1], group: 1 },
  };
  const kernel = l.weight([width, 3, patch, patch], 1 / Math.sqrt(3 * patch * patch));
  const cut = l.op('Conv', [pixels, kernel, l.weight([width], 0.1)], attributes);
  const rows = l.op('Transpose', [l.op('Reshape', [cut, l.integers(0, width, -1)])], { perm: [0, 2, 1] });
  const batch = l.op('Unsqueeze', [l.sizeOf(pixels, 0), l.integers(0)]);
  const dims = l.op('Concat', [batch, l.integers(1, width)], { axis: 0 });
  const whole = l.op('Expand', [l.weight([1, 1, width], 0.5), dims]);
  return l.op('Add', [l.op('Concat', [whole, rows], { axis: 1 }), l.weight([1, count + 1, width], 0.5)]);
}

const pixelsOf = (b: GraphBuilder, { side }: VisionShape) =>
  b.input('pixel_values', 'float32', ['batch_size', 3, side, side]);

/** A ViT. */
export function visionEncoder(shape: VisionShape): Model {
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const l = new Layers(b, 31);
  const x = blocks(l, patches(l, pixelsOf(b, shape), shape), shape, (x) => l.gelu(x));
  const dims = ['batch_size', (shape.side / shape.patch) ** 2 + 1, shape.width];
  b.output('last_hidden_state', l.layerNorm(x, shape.width), 'float32', dims);
  return b.toModel();
}

export interface ClipShape {
  readonly vision: VisionShape;
  readonly text: BlockShape & { readonly vocabulary: number; readonly positions: number };
  /** Of the space that pictures and texts share. */
  readonly shared: number;
}

/** Two encoders, of pictures and of texts, whose ends are compared. */
export function clip({ vision, text, shared }: ClipShape): Model {
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const l = new Layers(b, 41);
  const ids = b.input('input_ids', 'int64', ['text_batch_size', 'sequence_length']);
  const pixels = pixelsOf(b, vision);
  const mask = b.input('attention_mask', 'int64', ['text_batch_size', 'sequence_length']);
  const quick = (x: Value) => l.op('Mul', [x, l.op('Sigmoid', [l.op('Mul', [x, l.number(1.702)])])]);

  const seen = blocks(l, l.layerNorm(patches(l, pixels, vision), vision.width), vision, quick);
  const picture = l.op('Gather', [seen, l.integer(0)], { axis: 1 });
  const image = unit(l, l.project(l.layerNorm(picture, vision.width), vision.width, shared));
  const read = textStates(l, ids, mask, text, quick);
  const words = unit(l, l.project(read, text.width, shared));

  const perText = l.op('Mul', [l.op('MatMul', [words, l.op('Transpose', [image], { perm: [1, 0] })]), l.number(20)]);
  const perImage = l.op('Transpose', [perText], { perm: [1, 0] });
  b.output('logits_per_image', perImage, 'float32', ['batch_size', 'text_batch_size']);
  b.output('logits_per_text', perText, 'float32', ['text_batch_size', 'batch_size']);
  b.output('text_embeds', words, 'float32', ['text_batch_size', shared]);
  b.output('image_embeds', image, 'float32', ['batch_size', shared]);
  return b.toModel();
}

/** The state of each text's largest token, which in CLIP's vocabulary is the one that ends it. */
function textStates(
  l: Layers,
  ids: Value,
  mask: Value,
  shape: ClipShape['text'],
  activate: (x: Value) => Value,
): Value {
  const { vocabulary, positions, width } = shape;
  const length = l.sizeOf(ids, 1);
  const place = l.op('Range', [l.integer(0), length, l.integer(1)]);
  const words = l.op('Gather', [l.weight([vocabulary, width], 1), ids]);
  const x = l.op('Add', [words, l.op('Gather', [l.weight([positions, width], 0.5), place])]);
  const square = l.op('Expand', [l.number(-1e4), l.op('Concat', [at(l, length), at(l, length)], { axis: 0 })]);
  const later = l.op('Trilu', [square, l.integer(1)], { upper: 1 });
  const bias = l.op('Add', [later, l.maskBias(l.op('Unsqueeze', [mask, l.integers(1, 2)]), -1e4)]);
  const states = l.layerNorm(blocks(l, x, shape, activate, bias), width);
  const last = l.op('ArgMax', [ids], { axis: 1, keepdims: 1 });
  const picked = l.op('GatherND', [states, last], { batch_dims: 1 });
  return picked;
}

const at = (l: Layers, size: Value) => l.op('Unsqueeze', [size, l.integers(0)]);

const unit = (l: Layers, x: Value): Value => l.op('Div', [x, l.op('ReduceL2', [x], { axes: [-1], keepdims: 1 })]);

const preprocessing = (type: string, side: number) => ({
  ...{ image_processor_type: type, feature_extractor_type: type, do_resize: true, size: { height: side, width: side } },
  ...{ do_rescale: true, rescale_factor: 1 / 255, do_normalize: true, resample: 2, do_center_crop: false },
  ...{ image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] },
});

/** CLIP with all that zero-shot-image-classification wants of it. */
export const clipRepository = (shape: ClipShape): Repository => ({
  json: {
    'config.json': {
      ...{ architectures: ['CLIPModel'], model_type: 'clip', projection_dim: shape.shared },
      vision_config: {
        model_type: 'clip_vision_model',
        hidden_size: shape.vision.width,
        image_size: shape.vision.side,
      },
      text_config: { model_type: 'clip_text_model', hidden_size: shape.text.width, vocab_size: shape.text.vocabulary },
    },
    'preprocessor_config.json': preprocessing('CLIPFeatureExtractor', shape.vision.side),
    ...byteTokenizer(shape.text.vocabulary, shape.text.positions, { tokenizer: 'CLIPTokenizer' }),
  },
  models: { model: () => clip(shape) },
});

/** TrOCR: a ViT, and a decoder merged as Whisper's is, with all that image-to-text wants of them. */
export const captioner = (vision: VisionShape, said: SpeakerShape): Repository => ({
  json: {
    'config.json': {
      ...{
        architectures: ['VisionEncoderDecoderModel'],
        model_type: 'vision-encoder-decoder',
        is_encoder_decoder: true,
      },
      decoder: {
        ...{ model_type: 'trocr', d_model: said.width, decoder_layers: said.layers },
        ...{ decoder_attention_heads: said.heads, vocab_size: said.vocabulary, is_decoder: true },
      },
      encoder: { model_type: 'vit', hidden_size: vision.width, num_attention_heads: vision.heads },
      ...TOKENS,
    },
    'generation_config.json': TOKENS,
    'preprocessor_config.json': preprocessing('ViTFeatureExtractor', vision.side),
    ...byteTokenizer(said.vocabulary, said.targets),
  },
  models: { encoder_model: () => visionEncoder(vision), decoder_model_merged: () => speaker(said) },
});

const TOKENS = { bos_token_id: 1, eos_token_id: 2, pad_token_id: 0, decoder_start_token_id: 1 };
