import { type DecoderShape, decoder } from './decoder.js';
import type { Repository } from './repository.js';
import { byteTokenizer } from './tokenizers.js';

const ARCHITECTURES = { llama: 'LlamaForCausalLM', qwen2: 'Qwen2ForCausalLM' };

/** A decoder with all that text-generation wants of it. */
export const languageModel = (shape: DecoderShape, seed?: number): Repository => ({
  json: {
    'config.json': {
      ...{ architectures: [ARCHITECTURES[shape.type]], model_type: shape.type },
      ...{ hidden_size: shape.width, intermediate_size: shape.inner, num_hidden_layers: shape.layers },
      ...{ num_attention_heads: shape.heads, num_key_value_heads: shape.sharedHeads, head_dim: shape.size },
      ...{ vocab_size: shape.vocabulary, max_position_embeddings: shape.positions, rope_theta: shape.base },
      ...{ rms_norm_eps: 1e-5, hidden_act: 'silu', ...TOKENS },
      'transformers.js_config': { kv_cache_dtype: { fp16: 'float16', q4f16: 'float16' } },
    },
    'generation_config.json': TOKENS,
    ...byteTokenizer(shape.vocabulary, shape.positions),
  },
  models: { model: () => decoder(shape, seed) },
  isHalf: (name) => /^(past_key_values|present)\./.test(name),
});

const TOKENS = { bos_token_id: 1, eos_token_id: 2, pad_token_id: 0 };
