// usage: node layouts-replaced.js FOLDER QUESTIONS: transformers.js with Sardonyx
import './before.js';

const { askLayouts } = await import('./layouts.js');
const questions = JSON.parse(process.argv[3]).map((question) => ({ ...question, device: 'auto' }));
console.log(JSON.stringify(await askLayouts(process.argv[2], questions)));
