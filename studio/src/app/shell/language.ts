/**
 * Where LANG is C, WebKit calls its language "C", which Intl refuses: uPlot, which asks for it as it is loaded, would fail, and with it all
 * that is drawn by it.
 */
if (!isKnown(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });

function isKnown(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
