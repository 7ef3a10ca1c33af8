import { type Field, float } from '../fields.js';
import { Value, value } from './value.js';

/** The form that all readers know, in float32. */
export const scalar = (tag: string, number: number): Field => value(tag, float(Value.simpleValue, number));
