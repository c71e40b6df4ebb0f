/** In place of `node-transport` in what is bundled for a browser, which has no use for it (`browser` in package.json). */
export function nodeTransport(): null {
  return null;
}
