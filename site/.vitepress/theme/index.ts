// The parts of VitePress's theme that pages use: all of it takes 5 kB more, by gzip.
import 'vitepress/dist/client/theme-default/styles/vars.css';
import 'vitepress/dist/client/theme-default/styles/base.css';
import 'vitepress/dist/client/theme-default/styles/icons.css';
import 'vitepress/dist/client/theme-default/styles/utils.css';
import 'vitepress/dist/client/theme-default/styles/components/custom-block.css';
import 'vitepress/dist/client/theme-default/styles/components/vp-code.css';
import 'vitepress/dist/client/theme-default/styles/components/vp-doc.css';
import './style.css';
import { type Theme, withBase } from 'vitepress';
import Layout from 'vitepress/dist/client/theme-default/Layout.vue';
import { h } from 'vue';
import Demo from '../../gallery/Demo.vue';

const notFound = () =>
  h('main', { class: 'not-found vp-doc' }, [h('h1', 'Page not found'), h('a', { href: withBase('/') }, 'Home')]);

export default {
  Layout: () => h(Layout, null, { 'not-found': notFound }),
  enhanceApp({ app, siteData }) {
    app.component('Demo', Demo);
    if (import.meta.env.SSR || import.meta.env.DEV) return;
    addEventListener('load', () => navigator.serviceWorker?.register(`${siteData.value.base}service-worker.js`));
  },
} satisfies Theme;
