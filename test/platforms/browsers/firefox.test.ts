import { testFeatures } from './features.js';

testFeatures('firefox');
