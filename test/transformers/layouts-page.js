// A page's script, bundled for Sardonyx to take the place of onnxruntime-web: asks what questions.json has.
import { askLayouts } from './layouts.js';

globalThis.finished = (async () => askLayouts('/models/', await (await fetch('/questions.json')).json()))();
