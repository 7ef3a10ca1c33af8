import { defineConfig } from 'vite';
import { offline } from './offline-plugin.js';

export default defineConfig({
  base: './',
  plugins: [offline()],
  optimizeDeps: { exclude: ['sardonyx'] }, // While developing, keeps the package's scripts beside its kernels.
  server: { fs: { allow: ['..'] } }, // The model lies in ../digits.
});
