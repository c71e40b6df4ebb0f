/** The browser's word for its language, where `Intl` knows none such: Chromium on a machine without a language says `en-US@posix`. */

/** To be called before uPlot is loaded, which asks `Intl` for that language and would not load. Charts are in English, as the whole console is. */
export function ensureLanguage(): void {
  if (!isLanguage(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
