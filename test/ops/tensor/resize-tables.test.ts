import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TensorProto } from '../../../build/onnx.js';
import { readModel } from '../../../src/model/read-model.js';
import { decode } from '../../../src/model/read-protobuf.js';
import { readTensor } from '../../../src/model/tensors.js';
import {
  type AspectRatio,
  type AxisTable,
  axesFromScales,
  axesFromSizes,
  axisTable,
  isIdentity,
  type ResizeMode,
} from '../../../src/primitives/resize-tables.js';
import { shared } from '../../shared-data.js';

const DEFAULTS: ResizeMode = {
  mode: 'nearest',
  coordinates: 'half_pixel',
  rounding: 'round_prefer_floor',
  cubicCoefficient: -0.75,
  excludeOutside: false,
  antialias: false,
  extrapolationValue: 0,
};

/** Applies a table along one axis of row-major `x`. */
function apply(x: Float64Array, dims: readonly number[], axis: number, table: AxisTable): Float64Array {
  const inner = dims.slice(axis + 1).reduce((a, b) => a * b, 1);
  const length = dims[axis] as number;
  const outer = x.length / inner / length;
  const output = table.indices.length / table.taps;
  const y = new Float64Array(outer * output * inner);
  for (let i = 0; i < y.length; i++) {
    const o = Math.floor(i / inner) % output;
    const base = Math.floor(i / inner / output) * length * inner + (i % inner);
    let sum = table.constants?.[o] ?? 0;
    for (let t = o * table.taps; t < (o + 1) * table.taps; t++) {
      sum += (table.weights[t] as number) * (x[base + (table.indices[t] as number) * inner] as number);
    }
    y[i] = sum;
  }
  return y;
}

const nodeTests = shared('onnx-backend-tests/node');

const onnx = suite("resize tables against ONNX's own cases");
for (const folder of readdirSync(nodeTests).filter((name) => name.startsWith('test_resize_'))) {
  onnx(folder, () => {
    const node = readModel(readFileSync(join(nodeTests, folder, 'model.onnx'))).graph.nodes[0];
    if (!node) throw new Error(`${folder} has no node`);
    const attribute = (name: string) => node.attributes[name]?.value;
    let file = 0;
    const tensor = (name: string) =>
      readTensor(decode(TensorProto, readFileSync(join(nodeTests, folder, 'test_data_set_0', `${name}.pb`)), name));
    const [data, roi, scales, sizes] = [0, 1, 2, 3].map((i) =>
      node.inputs[i]?.name ? tensor(`input_${file++}`) : undefined,
    );
    const expected = tensor('output_0');
    if (!data) throw new Error(`${folder} has no data`);

    const axes = (attribute('axes') as number[] | undefined) ?? data.dims.map((_, i) => i);
    const lengths = axes.map((axis) => data.dims[axis] as number);
    const policy = (attribute('keep_aspect_ratio_policy') as AspectRatio | undefined) ?? 'stretch';
    const resized = scales
      ? axesFromScales(lengths, Array.from(scales.data, Number))
      : axesFromSizes(lengths, Array.from(sizes?.data ?? [], Number), policy);
    const how = {
      mode: attribute('mode') ?? DEFAULTS.mode,
      coordinates: attribute('coordinate_transformation_mode') ?? DEFAULTS.coordinates,
      rounding: attribute('nearest_mode') ?? DEFAULTS.rounding,
      cubicCoefficient: attribute('cubic_coeff_a') ?? DEFAULTS.cubicCoefficient,
      excludeOutside: attribute('exclude_outside') === 1,
      antialias: attribute('antialias') === 1,
      extrapolationValue: attribute('extrapolation_value') ?? 0,
    } as ResizeMode;

    const dims = [...data.dims];
    let y: Float64Array = Float64Array.from(data.data, Number);
    for (const [i, axis] of axes.entries()) {
      const [output, scale] = resized[i] as [number, number];
      const bounds = [Number(roi?.data[i] ?? 0), Number(roi?.data[axes.length + i] ?? 1)] as const;
      const table = axisTable(how, { input: dims[axis] as number, output, scale, roi: bounds });
      y = apply(y, dims, axis, table);
      dims[axis] = output;
    }
    assert.equal(dims, [...expected.dims]);
    for (const [i, value] of y.entries()) {
      const wanted = Number(expected.data[i]);
      assert.ok(Math.abs(value - wanted) <= 2e-6 * Math.max(1, Math.abs(wanted)), `${i}: ${value}, not ${wanted}`);
    }
  });
}
onnx.run();

const test = suite('resize tables');
const roi = [0, 1] as const;

test('lengths round down after one f32 product, as 0.7·10 = 7', () => {
  assert.equal(axesFromScales([10], [Math.fround(0.7)])[0]?.[0], 7);
});

test('tf_half_pixel_for_nn looks half a pixel to the right', () => {
  const how = { ...DEFAULTS, coordinates: 'tf_half_pixel_for_nn', rounding: 'floor' } as const;
  assert.equal([...axisTable(how, { input: 6, output: 3, scale: 0.5, roi }).indices], [1, 3, 5]);
});

test('both ends of align_corners are exact for awkward lengths', () => {
  const how = { ...DEFAULTS, coordinates: 'align_corners', rounding: 'floor' } as const;
  for (let input = 2; input < 40; input++) {
    for (let output = 2; output < 40; output++) {
      const { indices } = axisTable(how, { input, output, scale: output / input, roi });
      assert.is(indices[0], 0);
      assert.is(indices[output - 1], input - 1, `${input} → ${output}`);
    }
  }
});

test('weights of a row sum to 1', () => {
  for (const mode of ['linear', 'cubic'] as const) {
    for (const antialias of [false, true]) {
      for (const output of [3, 10, 23]) {
        const how = { ...DEFAULTS, mode, antialias };
        const { taps, weights } = axisTable(how, { input: 10, output, scale: output / 10, roi });
        for (let i = 0; i < output; i++) {
          const sum = weights.slice(i * taps, (i + 1) * taps).reduce((a, b) => a + b, 0);
          assert.ok(Math.abs(sum - 1) < 1e-6, `${mode} ${output}: ${sum}`);
        }
      }
    }
  }
});

test('scale 1 is the identity in every mode, a crop or a shift is not', () => {
  const same = { input: 7, output: 7, scale: 1, roi };
  for (const mode of ['nearest', 'linear', 'cubic'] as const) {
    for (const antialias of [false, true]) assert.ok(isIdentity(axisTable({ ...DEFAULTS, mode, antialias }, same), 7));
  }
  const crop = { ...DEFAULTS, mode: 'linear', coordinates: 'tf_crop_and_resize' } as const;
  assert.ok(isIdentity(axisTable(crop, same), 7));
  assert.not(isIdentity(axisTable(crop, { ...same, roi: [0, 2] }), 7));
  assert.not(isIdentity(axisTable(DEFAULTS, { ...same, output: 14, scale: 2 }), 7));
});

test.run();
