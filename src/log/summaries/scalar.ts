import { type Field, float } from '../fields.js';
import { Value, value } from './value.js';

/** A scalar in float32, in the format that all readers support. */
export const scalar = (tag: string, number: number): Field => value(tag, float(Value.simpleValue, number));
