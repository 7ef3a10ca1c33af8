// Elements taken from and put to places that another tensor gives.
export * from '../tensor/gather-elements.js';
export * from '../tensor/gather-nd.js';
export * from '../tensor/scatter-elements.js';
export * from '../tensor/scatter-nd.js';
