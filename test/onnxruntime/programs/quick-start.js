// Two matrices are multiplied, after onnxruntime-inference-examples/js/quick-start_onnxruntime-web-bundler.
import { readFile } from 'node:fs/promises';
import * as ort from 'onnxruntime-web';

const [folder] = process.argv.slice(2);
const session = await ort.InferenceSession.create(await readFile(`${folder}/product.onnx`));

const dataA = Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
const dataB = Float32Array.from([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]);
const tensorA = new ort.Tensor('float32', dataA, [3, 4]);
const tensorB = new ort.Tensor('float32', dataB, [4, 3]);

const feeds = { a: tensorA, b: tensorB };
const results = await session.run(feeds);
const dataC = results.c.data;
console.log(`data of result tensor 'c': ${dataC}`);
