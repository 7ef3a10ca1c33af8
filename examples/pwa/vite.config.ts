import { defineConfig } from 'vite';
import { offline } from './offline-plugin.js';

export default defineConfig({
  base: './',
  plugins: [offline()],
  server: { fs: { allow: ['..'] } }, // The model is in ../digits.
});
