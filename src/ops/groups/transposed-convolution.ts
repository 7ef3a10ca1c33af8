// Of decoders and of what derivatives of convolutions are made of.
export * from '../nn/conv-transpose.js';
