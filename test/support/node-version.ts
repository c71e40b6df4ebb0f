/**
 * Refuses to test on a Node that the product does not run on. An older one loads the SQLite binding and ends
 * without a message, which nobody would trace back to its version.
 */
const NODE_MAJOR_MIN = 24;

export function setup(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < NODE_MAJOR_MIN) {
    throw new Error(
      `LeaseQueue needs Node ${NODE_MAJOR_MIN} or later, this is ${process.versions.node}. Run the tests with "npm test", which uses the project's own Node.`,
    );
  }
}
