// Of decoders and of what derivatives of convolutions are made of.
export * from '../ops/nn/conv-transpose.js';
