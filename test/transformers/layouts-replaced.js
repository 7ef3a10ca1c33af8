// usage: node layouts-replaced.js FOLDER QUESTIONS: transformers.js with Sardonyx
import './before.js';

const { askLayouts } = await import('./layouts.js');
console.log(JSON.stringify(await askLayouts(process.argv[2], JSON.parse(process.argv[3]), 'auto')));
