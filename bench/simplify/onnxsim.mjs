// A program that simplifies one model with npm's onnxsim. usage: node onnxsim.mjs MODEL OUTPUT
import { readFileSync, writeFileSync } from 'node:fs';
import { simplify } from 'onnxsim';

const [, , model, output] = process.argv;
writeFileSync(output, (await simplify(readFileSync(model))).model);
