// Makes onnx.tar.br of a folder that has onnx-backend-tests/, onnx-schemas/ and models/; README.md says from where they are.
// usage: node test/data/pack.mjs FOLDER
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

/** Two cases of PyTorch's, of 4 and 4.5 MB of random numbers, which would triple the file. */
const LEFT_OUT = ['test_MaxPool2d_stride_padding_dilation', 'test_operator_conv'];
const MODELS = ['digits_cnn_trained', 'forest_trained', 'gbdt_trained', 'iris_pipeline_trained'];
const FOLDERS = ['onnx-backend-tests', 'onnx-schemas', ...MODELS.map((name) => `models/${name}`)];
const REPRODUCIBLE = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];

const folder = process.argv[2];
const excluded = LEFT_OUT.map((name) => `--exclude=${name}`);
const tar = execFileSync('tar', ['-c', '-C', folder, ...REPRODUCIBLE, ...excluded, ...FOLDERS], { maxBuffer: 2 ** 30 });
const packed = brotliCompressSync(tar, {
  params: {
    [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 26, // Cases share their data with others far away.
    [constants.BROTLI_PARAM_SIZE_HINT]: tar.length,
  },
});
writeFileSync(new URL('onnx.tar.br', import.meta.url), packed);
console.log(`${tar.length} bytes, packed ${packed.length}`);
