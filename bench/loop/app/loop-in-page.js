import * as api from '/node_modules/sardonyx/dist/index.js';
import { loop } from './loop.js';

const asked = new URLSearchParams(location.search);
const turn = () => new Promise((resolve) => setTimeout(resolve));
globalThis.outcome = loop(api, '/looped.onnx', Number(asked.get('threads')), asked.has('turns') && turn);
