import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { useEffect, useRef } from 'preact/hooks';

/** The allowed tags: text only, nothing that loads, runs, or looks like a part of the page. */
const TAGS =
  'a b blockquote br code del em h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul'.split(' ');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // Shown as source, except for line breaks, which tables need.
    html: ({ text }) => (/^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escaped(text)),
    // The page loads nothing from other sites.
    image: ({ text }) => escaped(text),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // Higher levels are reserved for the page.
    heading({ tokens, depth }) {
      const level = Math.min(6, depth + 3);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
  },
});

const purify = DOMPurify(window);
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

const fragmentOf = (markdown: string): DocumentFragment =>
  purify.sanitize(marked.parse(markdown, { async: false }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['align', 'href', 'start', 'title'],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(https?|mailto):/i,
    RETURN_DOM_FRAGMENT: true,
  });

/** Renders untrusted text as Markdown; HTML in it is escaped. */
export function Markdown({ text }: { text: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => host.current?.replaceChildren(fragmentOf(text)), [text]);
  return <div ref={host} class="logged markdown" />;
}
