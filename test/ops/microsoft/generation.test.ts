import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphBuilder } from '../../../src/builder/index.js';
import { type AttributeInputs, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ModelBuilder } from '../../../src/builder/model-builder.js';
import type { Value } from '../../../src/graph/graph.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { SessionOptions } from '../../../src/session/options.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { draw } from '../../contrib/case.js';
import { crossWeightsOf, encoderAndDecoder, one, shared } from '../../contrib/generation.js';
import { expectRejection } from '../../expect-error.js';

const test = suite('generation');

const VOCABULARY = 5;
const TOKENS = { eos_token_id: 0, pad_token_id: 1 };

/** A chain of Markov: row t of the table are the logits of what follows token t; its caches are not used. */
function chain(
  g: GraphBuilder,
  table: TensorValue,
  name = 'past_0',
  dims: readonly (number | string)[] = [2, 'batch', 1, 'past', 1],
) {
  const ids = g.input('input_ids', 'int32', ['batch', 'length']);
  g.input('position_ids', 'int32', ['batch', 'length']);
  g.input('attention_mask', 'int32', ['batch', 'total']);
  const past = g.input(name, 'float32', dims);
  const rows = g.op('Gather', [g.op('Constant', [], { value: table }), ids]);
  g.output('logits', rows, 'float32', ['batch', 'length', VOCABULARY]);
  g.output('present_0', g.op('Identity', [past]), 'float32', dims);
}

const { floats } = draw(7);
const TABLE = floats([VOCABULARY, VOCABULARY], 1.5);

type Inputs = Readonly<Record<number, TensorValue>>;

/** A session of one node and the feeds of its inputs, which are by number. */
async function open(
  op: string,
  attributes: (b: ModelBuilder) => AttributeInputs,
  inputs: Inputs,
  outputs: readonly number[] = [0],
  options: SessionOptions = {},
) {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const count = Math.max(...Object.keys(inputs).map(Number)) + 1;
  const values = Array.from({ length: count }, (_, i): Value | null => {
    const value = inputs[i];
    return value ? b.input(`x${i}`, value.type, value.dims) : null;
  });
  const results = b.node(op, values, attributes(b), { domain: 'com.microsoft', outputs: Math.max(...outputs) + 1 });
  for (const i of outputs) b.output(`y${i}`, results[i] as Value);
  const session = await InferenceSession.create(b.toBytes(), options);
  const feeds = Object.fromEntries(Object.entries(inputs).map(([i, value]) => [`x${i}`, value]));
  return { session, feeds };
}

async function run(...parameters: Parameters<typeof open>): Promise<Record<string, TensorValue>> {
  const { session, feeds } = await open(...parameters);
  const results = await session.run(feeds);
  await session.release();
  return results as Record<string, TensorValue>;
}

const ids = (...rows: readonly (readonly number[])[]) =>
  tensor('int32', [rows.length, rows[0]?.length ?? 0], rows.flat());

const gptOf = (b: ModelBuilder, ...rest: Parameters<typeof chain> extends [unknown, ...infer R] ? R : never) => ({
  ...TOKENS,
  decoder: b.subgraph('decoder', (g) => chain(g, ...rest)),
});

/** As top_p: nothing is left out. */
const ALL_TOKENS = { type: 'float', value: 1 } as const;

const GREEDY: Inputs = { 0: ids([2, 3]), 1: one('int32', 6) };
const BEAMS: Inputs = { ...GREEDY, 3: one('int32', 2), 4: one('int32', 1) };

test('keys and values may come apart', async () => {
  const merged = await run('BeamSearch', (b) => gptOf(b, TABLE), BEAMS, [0, 1]);
  const apart = await run('BeamSearch', (b) => gptOf(b, TABLE, 'past_key_0', ['batch', 1, 'past', 1]), BEAMS, [0, 1]);
  assert.equal(apart, merged);
});

/** Logits that depend on the sum of all tokens so far, which is in the caches: those grow, or are of a fixed length. */
function summing(g: GraphBuilder, isFixed: boolean): void {
  const constant = (value: TensorValue) => g.op('Constant', [], { value });
  const list = (...values: readonly number[]) => constant(tensor('int64', [values.length], values.map(BigInt)));
  const scalar = (value: number) => constant(tensor('int32', [], [value]));
  const cache = [2, 'batch', 1, 'past', 1];
  const tokens = g.input('input_ids', 'int32', ['batch', 'length']);
  g.input('position_ids', 'int32', ['batch', 'length']);
  g.input('attention_mask', 'int32', ['batch', 'total']);
  const past = g.input('past_0', 'float32', cache);
  const one = g.op('Cast', [g.op('Unsqueeze', [tokens, list(0, 2, 4)])], { to: 1 });
  const added = g.op('Concat', [one, one], { axis: 0 });
  const fixed = () => {
    const count = g.op('Cast', [g.op('Squeeze', [g.op('Shape', [tokens], { start: 1 })])], { to: 6 });
    const places = g.op('Add', [
      g.op('Range', [scalar(0), count, scalar(1)]),
      g.input('past_sequence_length', 'int32', [1]),
    ]);
    const length = g.op('Shape', [past], { start: 3, end: 4 });
    const ones = g.op('OneHot', [places, length, constant(tensor('float32', [2], [0, 1]))]);
    return g.op('Add', [past, g.op('Einsum', [added, ones], { equation: 'tbnsd,sm->tbnmd' })]);
  };
  const present = isFixed ? fixed() : g.op('Concat', [past, added], { axis: 3 });
  const sum = g.op('Unsqueeze', [g.op('ReduceSum', [present, list(0, 2, 3, 4)], { keepdims: 0 }), list(1, 2)]);
  const waves = g.op('Sin', [g.op('Mul', [sum, constant(tensor('float32', [VOCABULARY], [1, 2, 3, 4, 5]))])]);
  const logits = g.op('Add', [g.op('Gather', [constant(TABLE), tokens]), waves]);
  g.output('logits', logits, 'float32', ['batch', 'length', VOCABULARY]);
  g.output('present_0', present, 'float32', cache);
}

for (const op of ['GreedySearch', 'BeamSearch'])
  test(`${op}: caches may have a fixed length`, async () => {
    const decoder = (isFixed: boolean) => (b: ModelBuilder) => ({
      ...TOKENS,
      decoder: b.subgraph('decoder', (g) => summing(g, isFixed)),
    });
    const prompt: Inputs = { 0: ids([2, 3], [4, 4]), 1: one('int32', 9) };
    const inputs = op === 'BeamSearch' ? { ...prompt, 3: one('int32', 3), 4: one('int32', 3) } : prompt;
    const outputs = op === 'BeamSearch' ? [0, 1] : [0];
    const growing = await run(op, decoder(false), inputs, outputs);
    assert.equal(await run(op, decoder(true), inputs, outputs), growing);
    assert.ok(new Set(growing.y0?.data as Int32Array).size > 2);
  });

/** An encoder whose caches are the tokens it is given, and a decoder whose logits depend on the sum of its caches. */
function summingPair(b: ModelBuilder, form: 'growing' | 'fixed' | 'all tokens') {
  const pairs = (kind: string) => [`key_${kind}_0`, `value_${kind}_0`];
  const within = (g: GraphBuilder) => {
    const constant = (value: TensorValue) => g.op('Constant', [], { value });
    const list = (...values: readonly number[]) => constant(tensor('int64', [values.length], values.map(BigInt)));
    const float = (x: Value, ...axes: number[]) => g.op('Cast', [g.op('Unsqueeze', [x, list(...axes)])], { to: 1 });
    const give = (kind: string, value: Value, keys: string) => {
      for (const name of pairs(kind))
        g.output(`present_${name}`, g.op('Identity', [value]), 'float32', ['batch', 1, keys, 1]);
    };
    return { constant, list, float, give };
  };
  const encoder = b.subgraph('encoder', (g) => {
    const { constant, float, give } = within(g);
    const tokens = g.input('encoder_input_ids', 'int32', ['batch', 'frames']);
    g.input('encoder_attention_mask', 'int32', ['batch', 'frames']);
    const first = g.input('decoder_input_ids', 'int32', ['batch', 1]);
    g.output('logits', g.op('Gather', [constant(TABLE), first]), 'float32', ['batch', 1, VOCABULARY]);
    g.output('encoder_hidden_states', float(tokens, 2), 'float32', ['batch', 'frames', 1]);
    give('self', float(first, 2, 3), 'length');
    give('cross', float(tokens, 1, 3), 'frames');
  });
  const decoder = b.subgraph('decoder', (g) => {
    const { constant, list, float, give } = within(g);
    const ids = g.input('input_ids', 'int32', ['batch', form === 'all tokens' ? 'sofar' : 1]);
    const token = g.op('Gather', [ids, list(-1)], { axis: 1 });
    g.input('encoder_attention_mask', 'int32', ['batch', 'frames']);
    const [past, , cross] = [...pairs('self'), ...pairs('cross')].map((name) =>
      g.input(`past_${name}`, 'float32', ['batch', 1, `${name}_keys`, 1]),
    ) as [Value, Value, Value, Value];
    const added = float(token, 2, 3);
    const fixed = () => {
      const position = g.input('past_sequence_length', 'int32', [1]);
      const length = g.op('Shape', [past], { start: 2, end: 3 });
      const ones = g.op('OneHot', [position, length, constant(tensor('float32', [2], [0, 1]))]);
      return g.op('Add', [past, g.op('Einsum', [added, ones], { equation: 'bnsd,sm->bnmd' })]);
    };
    const present = form === 'fixed' ? fixed() : g.op('Concat', [past, added], { axis: 2 });
    const own = form === 'all tokens' ? float(ids, 1, 3) : present;
    const sum = (x: Value) => g.op('Squeeze', [g.op('ReduceSum', [x, list(1, 2, 3)]), list(3)]);
    const both = g.op('Add', [sum(own), sum(cross)]);
    const waves = g.op('Sin', [g.op('Mul', [both, constant(tensor('float32', [VOCABULARY], [1, 2, 3, 4, 5]))])]);
    const logits = g.op('Add', [g.op('Gather', [constant(TABLE), token]), waves]);
    g.output('logits', logits, 'float32', ['batch', 1, VOCABULARY]);
    give('self', present, 'length');
  });
  return { ...TOKENS, model_type: 1, decoder_start_token_id: 2, encoder, decoder };
}

for (const form of ['fixed', 'all tokens'] as const)
  test(`a decoder with an encoder may have another form: ${form}`, async () => {
    const inputs = { 0: ids([2, 3, 4], [4, 4, 2]), 1: one('int32', 9), 3: one('int32', 3), 4: one('int32', 3) };
    const growing = await run('BeamSearch', (b) => summingPair(b, 'growing'), inputs, [0, 1]);
    assert.equal(await run('BeamSearch', (b) => summingPair(b, form), inputs, [0, 1]), growing);
    assert.ok(new Set(growing.y0?.data as Int32Array).size > 2);
  });

/** Of a row of logits. */
function softmax(logits: readonly number[]): number[] {
  const exps = logits.map(Math.exp);
  const total = exps.reduce((a, b) => a + b, 0);
  return exps.map((x) => x / total);
}

test('tokens are drawn as often as they are likely', async () => {
  const rows = 20000;
  const inputs = { 0: tensor('int32', [rows, 1], new Array(rows).fill(3)), 1: one('int32', 2), 8: one('int32', 77) };
  const { y0 } = await run('Sampling', (b) => ({ ...gptOf(b, TABLE), eos_token_id: 9, top_p: ALL_TOKENS }), inputs);
  const drawn = new Array<number>(VOCABULARY).fill(0);
  for (let i = 1; i < 2 * rows; i += 2) (drawn[Number(y0?.data[i])] as number)++;
  const expected = softmax(Array.from(TABLE.data as Float32Array).slice(15, 20)).map((p) => p * rows);
  const chiSquared = expected.reduce((sum, e, i) => sum + ((drawn[i] as number) - e) ** 2 / e, 0);
  assert.ok(chiSquared < 18.47, `chi² is ${chiSquared}; of 4 degrees of freedom 18.47 is exceeded once in a thousand`);
});

test('presence lowers the scores of the tokens that it marks', async () => {
  const mask = tensor('int32', [1, VOCABULARY], [0, 1, 0, 2, 0]);
  const attributes = (b: ModelBuilder) => ({
    ...gptOf(b, TABLE),
    presence_penalty: 0.5,
    top_p: ALL_TOKENS,
  });
  const { y1 } = await run('Sampling', attributes, { 0: ids([2]), 1: one('int32', 2), 7: mask }, [1]);
  const row = Array.from(TABLE.data as Float32Array).slice(10, 15);
  const wanted = row.map((x, i) => x - 0.5 * Number(mask.data[i]));
  wanted.forEach((x, i) => {
    assert.ok(Math.abs(x - Number(y1?.data[i])) < 1e-6);
  });
});

const WHISPER = { eos_token_id: 0, pad_token_id: 1, decoder_start_token_id: 2, no_speech_token_id: 3 };
const SIZES = { vocabulary: 6, hidden: 4, heads: 2, layers: 1 };
const FEATURES = draw(3).floats([2, 4, 3]);
const SPEECH: Inputs = { 0: FEATURES, 1: one('int32', 6), 3: one('int32', 2), 4: one('int32', 2) };

const whisper = (b: ModelBuilder, crossScores = false) => ({
  ...WHISPER,
  ...encoderAndDecoder(b, crossWeightsOf(shared(b), draw(4), SIZES), { ...SIZES, features: true, crossScores }),
  ...(crossScores && { decoder_output_cross_qk: 1 }),
});

test('scores of attention are those of the runs that made the sequence', async () => {
  const inputs = { ...SPEECH, 12: tensor('int32', [2, 2], [0, 1, 0, 0]) };
  const { y0, y3 } = await run('WhisperBeamSearch', (b) => whisper(b, true), inputs, [0, 3]);
  const [batch, returned, pairs, runs, frames] = (y3 as TensorValue).dims as [number, number, number, number, number];
  assert.equal([batch, returned, pairs, frames], [2, 2, 2, 3]);
  assert.ok(runs >= 1 && runs <= 4);
  // The decoder of this test says the token it was given, plus a tenth for the second head.
  for (let i = 0; i < batch * returned; i++) {
    const tokens = Array.from({ length: runs }, (_, t) => Number(y0?.data[i * 6 + 1 + t]));
    const length = tokens.includes(1) ? tokens.indexOf(1) : runs;
    for (let t = 0; t < length; t++) {
      const at = (p: number) => Number(y3?.data[((i * pairs + p) * runs + t) * frames]);
      assert.is(at(0), Math.fround((tokens[t] as number) + Math.fround(0.1)));
      assert.is(at(1), tokens[t]);
    }
  }
});

test('tokens may be forced, and silence is a probability', async () => {
  const forced = tensor('int32', [2, 2], [4, 5, 5, -1]);
  const { y0, y4 } = await run('WhisperBeamSearch', whisper, { ...SPEECH, 4: one('int32', 1), 13: forced }, [0, 4]);
  assert.equal([y0?.data[1], y0?.data[2], y0?.data[7]], [4, 5, 5]);
  // The first scores without a prompt's are the logarithms of the probabilities, of which one is that of silence.
  const { y2 } = await run('WhisperBeamSearch', whisper, { ...SPEECH, 3: one('int32', 1), 4: one('int32', 1) }, [0, 2]);
  for (const b of [0, 1])
    assert.ok(Math.abs(Math.log(Number(y4?.data[b])) - Number(y2?.data[b * SIZES.vocabulary + 3])) < 1e-5);
});

test('logits in halves', async () => {
  const bare = await run('WhisperBeamSearch', whisper, SPEECH, [0, 1]);
  const half = await run('WhisperBeamSearch', whisper, { ...SPEECH, 5: tensor('float16', [1], [1]) }, [0, 1]);
  assert.equal(half.y0, bare.y0);
  assert.is(half.y1?.type, 'float16');
});

const wrongGraphs: readonly (readonly [RegExp, (g: GraphBuilder) => void])[] = [
  [
    /inputs of its decoder must begin with input_ids, position_ids, attention_mask, but number 0 is "tokens"/,
    (g) => g.output('logits', g.input('tokens', 'int32', ['batch', 'length'])),
  ],
  [
    /outputs of its decoder must begin with logits, but number 0 is "scores"/,
    (g) => {
      for (const name of ['input_ids', 'position_ids', 'attention_mask']) g.input(name, 'int32', ['batch', 'length']);
      g.output('scores', g.input('past_0', 'float32', [2, 'batch', 1, 'past', 1]));
    },
  ],
];

for (const [message, build] of wrongGraphs)
  test(`a decoder of another form: ${message.source}`, () =>
    expectRejection(
      'INVALID_GRAPH',
      message,
      run('GreedySearch', (b) => ({ ...TOKENS, decoder: b.subgraph('decoder', build) }), GREEDY),
    ));

type Wrong = readonly [code: Parameters<typeof expectRejection>[0], message: RegExp, promise: () => Promise<unknown>];

const WRONG: Readonly<Record<string, Wrong>> = {
  'caches of unknown heads': [
    'INVALID_SHAPE',
    /past_0 of its decoder must be .*\[2,batch,heads,length,size\], with heads and size as numbers, not \[2,batch,heads,past,1\]/,
    () => run('GreedySearch', (b) => gptOf(b, TABLE, 'past_0', [2, 'batch', 'heads', 'past', 1]), GREEDY),
  ],
  'an end that is no token': [
    'INVALID_ATTRIBUTE',
    /eos_token_id must be a token ID, at least 0, not -1/,
    () => run('GreedySearch', (b) => ({ ...gptOf(b, TABLE), eos_token_id: -1 }), GREEDY),
  ],
  'another kind of model': [
    'INVALID_ATTRIBUTE',
    /model_type must be 0 \(decoder\), not 1; BeamSearch supports others/,
    () => run('Sampling', (b) => ({ ...gptOf(b, TABLE), model_type: 1 }), GREEDY),
  ],
  'no encoder': [
    'INVALID_ATTRIBUTE',
    /needs the attribute "encoder"/,
    () => run('BeamSearch', (b) => ({ ...gptOf(b, TABLE), model_type: 1, decoder_start_token_id: 2 }), BEAMS),
  ],
  'no token to begin with': [
    'INVALID_ATTRIBUTE',
    /decoder_start_token_id must be set/,
    () => run('BeamSearch', (b) => ({ ...gptOf(b, TABLE), model_type: 1 }), BEAMS),
  ],
  'no room beyond the prompt': [
    'INVALID_VALUE',
    /max_length must be greater than the 2 tokens of the prompt/,
    () => run('GreedySearch', (b) => gptOf(b, TABLE), { ...GREEDY, 1: one('int32', 2) }),
  ],
  'more sequences than beams': [
    'INVALID_VALUE',
    /num_return_sequences must be 1 to 2, not 3/,
    () => run('BeamSearch', (b) => gptOf(b, TABLE), { ...BEAMS, 4: one('int32', 3) }),
  ],
  'a mask of another vocabulary': [
    'INVALID_SHAPE',
    /vocab_mask must be \[5\], not \[4\]/,
    () => run('GreedySearch', (b) => gptOf(b, TABLE), { ...GREEDY, 4: tensor('int32', [4], [1, 1, 1, 1]) }),
  ],
  'a larger vocabulary': [
    'INVALID_ATTRIBUTE',
    /vocab_size is 9, but the logits have 5 tokens/,
    () => run('GreedySearch', (b) => ({ ...gptOf(b, TABLE), vocab_size: 9 }), GREEDY),
  ],
  'a penalty of nothing': [
    'INVALID_VALUE',
    /repetition_penalty must be positive, not 0/,
    () => run('GreedySearch', (b) => gptOf(b, TABLE), { ...GREEDY, 3: one('float32', 0) }),
  ],
  'a seed below 0': [
    'INVALID_VALUE',
    /seed must be at least 0, not -1/,
    () => run('Sampling', (b) => gptOf(b, TABLE), { ...GREEDY, 8: one('int32', -1) }),
  ],
  'scores of attention that the decoder does not give': [
    'INVALID_GRAPH',
    /its decoder has 0 outputs after the caches; decoder_output_cross_qk needs 1/,
    () => run('WhisperBeamSearch', (b) => ({ ...whisper(b), decoder_output_cross_qk: 1 }), SPEECH, [0, 3]),
  ],
};

for (const [what, [code, message, promise]] of Object.entries(WRONG))
  test(`refused: ${what}`, () => expectRejection(code, message, promise()));

const ENDLESS: Inputs = { 0: ids([2, 3]), 1: one('int32', 100000) };
const endless = (b: ModelBuilder) => ({ ...gptOf(b, TABLE), eos_token_id: 9 });

test('a signal stops it', async () => {
  const { session, feeds } = await open('GreedySearch', endless, ENDLESS);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await expectRejection('ABORTED', /./, session.run(feeds, { signal: controller.signal }));
  await session.release();
});

test('a limit of time stops it', async () => {
  const { session, feeds } = await open('GreedySearch', endless, ENDLESS, [0], { limits: { milliseconds: 200 } });
  await expectRejection('LIMIT', /./, session.run(feeds));
  await session.release();
});

test.run();
