import * as tools from 'sardonyx/model';
import model from './model.onnx';
import { hashes } from './toolkit.js';

export default {
  async test() {
    console.log(JSON.stringify(await hashes(tools, new Uint8Array(model))));
  },
};
