import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { int, modelBuilder, tensor } from '../../../../src/builder/index.js';
import { fromFloat16 } from '../../../../src/tensor/half.js';
import { loadModel, type Model, mergeLora } from '../../../../src/tools/index.js';
import { checked, evenly } from '../../quantize/runs.js';
import { refuses } from '../../surgery/models.js';
import { bytesOf, files, floatsIn, floatsOf, initializer, safetensorsOf, weightIn } from './files.js';

const test = suite('adapters into weights');
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
test.after(() => rmSync(folder, { recursive: true }));

const { before, after, file, config } = files.peft;

const turned = (values: Float32Array, rows: number): Float32Array =>
  values.map((_, i) => values[(i % rows) * (values.length / rows) + Math.floor(i / rows)] as number);

/** The layers that PEFT was given, as exporters put them down: products without names, by nodes; sums that have a bias; a convolution. */
async function exported(): Promise<Model> {
  const b = modelBuilder({ opset: 21 });
  let x = b.input('x', 'float32', [1, 6]);
  let image = b.input('image', 'float32', [1, 3, 3, 3]);
  for (const layer of [0, 1]) {
    const weight = (name: string) => before[`layers.${layer}.${name}.weight`] as (typeof before)[string];
    const q = tensor('float32', [6, 4], turned(floatsOf(weight('q_proj').data), 4));
    x = b.op('MatMul', [x, b.constant(`onnx::MatMul_${layer}`, q)], {}, { name: `/layers.${layer}/q_proj/MatMul` });
    const o = tensor('float32', [6, 4], floatsOf(weight('o_proj').data));
    x = b.op('Gemm', [x, b.constant(`layers.${layer}.o_proj.weight`, o)], { transB: int(1) });
    const { dims, data } = weight('conv');
    const conv = b.constant(`layers.${layer}.conv.weight`, tensor('float32', dims, floatsOf(data)));
    b.output(`seen${layer}`, b.op('Conv', [image, conv]), 'float32', [1, 5, 1, 1]);
  }
  image = x;
  b.output('y', x, 'float32', [1, 6]);
  return loadModel(b.toBytes());
}

const near = (found: Float32Array, expected: Float32Array, what: string) =>
  found.forEach((value, i) => {
    const wanted = expected[i] as number;
    assert.ok(Math.abs(value - wanted) <= 3e-7 * Math.max(1, Math.abs(wanted)), `${what}[${i}]: ${value}, ${wanted}`);
  });

async function assertMerged(model: Model): Promise<void> {
  await checked(model);
  for (const layer of [0, 1]) {
    const expected = (name: string) => floatsOf(after[`layers.${layer}.${name}.weight`]?.data as string);
    near(await floatsIn(model, `onnx::MatMul_${layer}`), turned(expected('q_proj'), 4), 'q_proj');
    near(await floatsIn(model, `layers.${layer}.o_proj.weight`), expected('o_proj'), 'o_proj');
    near(await floatsIn(model, `layers.${layer}.conv.weight`), expected('conv'), 'conv');
  }
}

test("PEFT's weights, as PEFT merges them: by nodes and by names, whichever way they lie", async () => {
  const model = await exported();
  await assertMerged(await mergeLora(model, bytesOf(file), { config }));
  assert.equal(
    await floatsIn(model, 'layers.0.o_proj.weight'),
    floatsOf(before['layers.0.o_proj.weight']?.data as string),
  );
});

test('its configuration is found beside the file', async () => {
  writeFileSync(join(folder, 'adapter_model.safetensors'), bytesOf(file));
  writeFileSync(join(folder, 'adapter_config.json'), JSON.stringify(config));
  await assertMerged(await mergeLora(await exported(), join(folder, 'adapter_model.safetensors')));
});

/** W + scale · up · down, in double precision. */
function expectedSum(w: Float32Array, up: Float32Array, down: Float32Array, rank: number, scale: number): Float32Array {
  const inputs = down.length / rank;
  return w.map((value, i) => {
    const [o, k] = [Math.floor(i / inputs), i % inputs];
    let sum = 0;
    for (let r = 0; r < rank; r++) sum += (up[o * rank + r] as number) * (down[r * inputs + k] as number);
    return value + scale * sum;
  });
}

const [RANK, IN, OUT] = [2, 5, 3];
const [UP, DOWN, WEIGHT] = [evenly(OUT * RANK, 1), evenly(RANK * IN, 2), evenly(OUT * IN, 3)];
const f32 = (shape: readonly number[], data: Float32Array) => ({ dtype: 'F32', shape, data });

async function oneLayer(name: string, ...others: string[]): Promise<Model> {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [1, IN]);
  for (const [i, weight] of [name, ...others].entries()) {
    const w = b.constant(weight, tensor('float32', [OUT, IN], WEIGHT));
    b.output(`y${i}`, b.op('Gemm', [x, w], { transB: int(1) }), 'float32', [1, OUT]);
  }
  return loadModel(b.toBytes());
}

const NAMINGS: readonly (readonly [string, string, string, string])[] = [
  ['kohya', 'lora_unet_mid_block_to_q', 'lora_unet_mid_block_to_q.lora_down', 'lora_unet_mid_block_to_q.lora_up'],
  ['diffusers', 'unet.mid_block.to_q', 'unet.mid_block.to_q.lora.down', 'unet.mid_block.to_q.lora.up'],
  [
    'PEFT',
    'base_model.model.mid.block.to_q',
    'base_model.model.mid.block.to_q.lora_A.default',
    'base_model.model.mid.block.to_q.lora_B.default',
  ],
];

for (const [who, layer, down, up] of NAMINGS)
  test(`${who}: alpha of the file, and a scale`, async () => {
    const parts = { [`${down}.weight`]: f32([RANK, IN], DOWN), [`${up}.weight`]: f32([OUT, RANK], UP) };
    const alpha = { [`${layer}.alpha`]: { dtype: 'F16', shape: [], data: Uint16Array.of(0x4200) } }; // 3
    const merged = await mergeLora(await oneLayer('mid_block.to_q.weight'), safetensorsOf({ ...parts, ...alpha }), {
      scale: 0.5,
    });
    const expected = expectedSum(WEIGHT, UP, DOWN, RANK, (0.5 * 3) / RANK);
    assert.equal(await floatsIn(merged, 'mid_block.to_q.weight'), expected);
    const plain = await mergeLora(await oneLayer('mid_block.to_q.weight'), safetensorsOf(parts));
    assert.equal(await floatsIn(plain, 'mid_block.to_q.weight'), expectedSum(WEIGHT, UP, DOWN, RANK, 1));
  });

const adapter = (layer: string) =>
  safetensorsOf({
    [`${layer}.lora_A.weight`]: f32([RANK, IN], DOWN),
    [`${layer}.lora_B.weight`]: f32([OUT, RANK], UP),
  });

test('halves are rounded once', async () => {
  const b = modelBuilder({ opset: 21 });
  const w = b.constant('to_q.weight', tensor('float16', [OUT, IN], new Uint16Array(OUT * IN).fill(0x3c00)));
  b.output('y', b.op('Gemm', [b.input('x', 'float16', [1, IN]), w], { transB: int(1) }), 'float16', [1, OUT]);
  const merged = await mergeLora(await loadModel(b.toBytes()), adapter('to_q'));
  assert.is(initializer(merged, 'to_q.weight').dataType, 10);
  const expected = expectedSum(new Float32Array(OUT * IN).fill(1), UP, DOWN, RANK, 1);
  const found = new Uint16Array((await weightIn(merged, 'to_q.weight')).buffer);
  for (const [i, bits] of found.entries()) assert.ok(Math.abs(fromFloat16(bits) - (expected[i] as number)) <= 2 ** -11);
});

test('a layer that several weights fit is named with them, and names decide', async () => {
  const model = await oneLayer('a.to_q.weight', 'b.to_q.weight');
  await refuses(
    mergeLora(model, adapter('to_q')),
    '"to_q": ambiguous: matches "a.to_q.weight", "b.to_q.weight"; choose one with names',
  );
  const merged = await mergeLora(model, adapter('to_q'), { names: { to_q: 'b.to_q.weight' } });
  assert.equal(await floatsIn(merged, 'a.to_q.weight'), WEIGHT);
  assert.equal(await floatsIn(merged, 'b.to_q.weight'), expectedSum(WEIGHT, UP, DOWN, RANK, 1));
});

test('all that does not fit is said at once', async () => {
  const file = safetensorsOf({
    'to_k.lora_A.weight': f32([RANK, IN], DOWN),
    'to_k.lora_B.weight': f32([OUT, RANK], UP),
    'to_q.lora_A.weight': f32([IN, RANK], DOWN),
    'to_q.lora_B.weight': f32([OUT, RANK], UP),
    'to_v.lora_A.weight': f32([RANK, IN], DOWN),
    'to_q.dora_scale': f32([1], Float32Array.of(1)),
    'wide.lora_A.weight': f32([RANK, IN], DOWN),
    'wide.lora_B.weight': f32([RANK, RANK], UP.subarray(0, 4)),
  });
  const model = await oneLayer('to_q.weight', 'wide.weight');
  for (const part of [
    'cannot import 5 weights',
    '"to_q.dora_scale": not a LoRA weight',
    '"to_q": the A and B weights have different ranks',
    '"to_v": the A or B weight is missing',
    '"to_k": the model has no weight with this name',
    '"wide": the adapter has the shape [2,5], but "wide.weight" has [3,5]',
  ])
    await refuses(mergeLora(model, file), part);
  await refuses(mergeLora(model, adapter('to_q'), { config: { use_dora: true } }), 'DoRA');
});

test.run();
