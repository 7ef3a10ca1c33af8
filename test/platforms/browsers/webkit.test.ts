import { testFeatures } from './features.js';

testFeatures('webkit');
