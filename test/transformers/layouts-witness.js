// usage: node layouts-witness.js FOLDER QUESTIONS: transformers.js with its own onnxruntime-node
import { askLayouts } from './layouts.js';

console.log(JSON.stringify(await askLayouts(process.argv[2], JSON.parse(process.argv[3]))));
