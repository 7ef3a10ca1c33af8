// usage: node witness.js FOLDER OF MODELS: transformers.js with its own onnxruntime-node
import { runPipelines } from './pipelines.js';

console.log(JSON.stringify(await runPipelines(process.argv[2])));
