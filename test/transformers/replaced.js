// usage: node replaced.js FOLDER OF MODELS: transformers.js with Sardonyx
import './before.js';

const { runPipelines } = await import('./pipelines.js');
console.log(JSON.stringify(await runPipelines(process.argv[2], 'auto')));
