/**
 * With LANG=C, WebKit reports its language as "C", which Intl rejects: uPlot passes it to Intl when it loads, and would fail with every
 * chart.
 */
if (!isKnown(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });

function isKnown(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
