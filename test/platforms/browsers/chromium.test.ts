import { testFeatures } from './features.js';

testFeatures('chromium');
