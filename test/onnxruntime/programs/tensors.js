// Tensors of every making, after onnxruntime-inference-examples/js/api-usage_tensor.
import ort, { Tensor } from 'onnxruntime-web';

const describe = ({ type, dims, size, location, data }) =>
  console.log(type, dims.join('×'), size, location, data.constructor.name, Array.from(data, String).join());

const buffer01 = new Float32Array(8).fill(0.5);
const tensors = [
  new ort.Tensor('float32', buffer01, [2, 2, 2]),
  new ort.Tensor('float32', [1, 2, 3, 4], [2, 2]),
  new ort.Tensor(new Float64Array([1, 2])),
  new ort.Tensor('bool', [true, false, true], [3]),
  new ort.Tensor([true, false]),
  new ort.Tensor(['a', 'b', ''], [3, 1]),
  new ort.Tensor('string', ['x']),
  new ort.Tensor('int64', [1n, -2n]),
  new ort.Tensor('int64', [1, -2], [1, 2]),
  new ort.Tensor('uint64', new BigUint64Array([1n, 2n]), [2]),
  new ort.Tensor(new BigInt64Array(3), [3]),
  new ort.Tensor('uint8', new Uint8ClampedArray([1, 2])),
  new ort.Tensor(new Uint8ClampedArray([250, 255]), [2, 1]),
  new ort.Tensor(new Int8Array([-1])),
  new ort.Tensor(new Uint16Array([1]), [1]),
  new ort.Tensor('float16', new Uint16Array([0x3c00, 0xc000]), [2]),
  new ort.Tensor('float32', [7], []),
  new ort.Tensor('float32', [], [0, 3]),
  Tensor.fromPinnedBuffer('int32', new Int32Array([5, 6]), [2]),
  new ort.Tensor({ location: 'cpu-pinned', type: 'float32', data: new Float32Array(2), dims: [1, 2] }),
];
tensors.forEach(describe);
describe(tensors[0].reshape([4, 2]));
console.log((await tensors[0].getData()) === buffer01, tensors[0].data === buffer01);
tensors[0].dispose();
console.log(tensors[0].location);

const fails = (make) => {
  try {
    return make();
  } catch (error) {
    return error instanceof Error;
  }
};
console.log(
  fails(() => tensors[0].data),
  fails(() => new ort.Tensor('float32', [1, 2, 3], [2])),
  fails(() => new ort.Tensor('float32', [1], [-1])),
  fails(() => new ort.Tensor('float33', [1])),
  fails(() => new ort.Tensor('float32', new Float64Array(1))),
  fails(() => tensors[1].gpuBuffer),
);

const pixels = Uint8ClampedArray.from({ length: 2 * 3 * 4 }, (_, i) => 10 * i);
globalThis.ImageData = class {
  constructor(data, width, height) {
    Object.assign(this, { data, width, height });
  }
};
describe(await ort.Tensor.fromImage(new ImageData(pixels, 3, 2)));
