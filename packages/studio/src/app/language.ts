/*
 * uPlot formats numbers in the browser's language as soon as it is loaded. A language that is none, such as the "C" of a
 * bare Linux, would end the page before it begins; so this is loaded first.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
