/** Settings for a process that takes itself for one of another version of Node. */
export function claimingNode(version: string): Readonly<Record<string, string>> {
  const source = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
}
