#!/usr/bin/env node
/** The entry of the command line. Looks at the version of Node before anything is loaded that an older one dies of without a word. */
// An older Node has no such name to import.
import * as nodeModule from 'node:module';

const NODE_MAJOR_MIN = 22;

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  process.stderr.write(`LeaseQueue needs Node ${NODE_MAJOR_MIN} or later, and this is ${process.versions.node}. Start it with a newer one.\n`);
  process.exitCode = 1;
} else {
  nodeModule.enableCompileCache();
  // Until the command has said how it ended: one that nothing keeps alive any more has not succeeded.
  process.exitCode = 1;
  // The published file is CommonJS, in which nothing can be awaited here.
  void import('./run.ts')
    .then(({ runCommandLine }) => runCommandLine(process.argv.slice(2)))
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
}
