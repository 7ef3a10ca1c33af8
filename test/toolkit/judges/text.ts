import type { Judge } from './judge-of.js';

/** ONNX's text syntax: parser_test.py, printer_test.py. */
export const textJudge: Judge = {};
