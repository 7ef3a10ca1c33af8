// What a program that simplifies one model by npm's onnxsim is. usage: node onnxsim.mjs MODEL OUTPUT
import { readFileSync, writeFileSync } from 'node:fs';
import { simplify } from 'onnxsim';

const [, , model, output] = process.argv;
writeFileSync(output, (await simplify(readFileSync(model))).model);
